"""The words that the grammar of English knows, beside its label words. Other languages have theirs in `text.languages`."""

from __future__ import annotations

from deref.text.languages import ENGLISH

LIST_WORDS = ("and/or", "and", "or")
"""Words between two members of a list of labels."""

RANGE_WORDS = ("to", "through", "thru")
"""Words between the two ends of a range of labels."""

POINT_WORDS = (
    "points", "point", "paragraphs", "paragraph", "paras.", "para.", "subparagraph", "sub-paragraph", "clause",
    "subsection", "item", "sentence",
)  # fmt: skip
"""Words that lead from a labelled unit to a part inside it: "Article 6(1), point (c)"."""

ORDINALS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "last",
)  # fmt: skip
"""Words that pick a paragraph by its place; "last" is the last of this tuple."""

PIECES = (
    "paragraph",
    "subparagraph",
    "sub-paragraph",
    "sentence",
    "bullet",
    "indent",
    "item",
    "column",
    "row",
)
"""What an ordinal can pick."""

NUMBER_WORDS = tuple(word.capitalize() for word in ENGLISH.figures.split())
"""Numbers that a chapter, part or article is headed with in words, from 1."""

INSTRUMENTS = (
    "Agreement", "Report", "Opinion", "Certificate", "Note", "Policy", "Plan", "Checklist", "Memorandum", "Letter",
    "Lease", "License", "Licence", "Deed", "Indenture", "Mortgage", "Guaranty", "Guarantee", "Warrant", "Consent", "Bylaws", "By-laws",
    "Prospectus", "Contract", "Amendment", "Statement", "Handbook", "Manual", "Guide", "Guidelines", "Questionnaire",
    "Sheet", "Procedures", "Notice", "Summary", "Schedule", 
    "Undertaking", "Declaration", "Assignment", "Assessment", "Appraisal", "Specification",
    "Rulebook", "Charter", "Abstract", "Instrument", "Playbook", "Runbook", "Framework", "Memo", "Letters",
)  # fmt: skip
"""Nouns that end the name of a document, when it is written with capitals: "the Due Diligence Report"."""

DESIGNATORS = (
    "RFC", "RFCs", "BCP", "STD", "ISO", "IEC", "IEEE", "ANSI", "ASTM", "DIN", "EN", "ETSI", "PCI", "ITU", "FIPS", "NIST", "SP",
    "NISTIR", "IR", "Special", "Regulation", "Directive", "Decision", "Framework", "Executive", "E.O.", "Public Law", "Pub.",
    "P.L.", "OMB",
)  # fmt: skip
"""First words of the designators of standards and acts: "RFC 9000", "Special Publication 800-53"."""

LAW_ENDS = (
    "Stat.",
    "Stats.",
    "Code",
    "Act",
    "Ann.",
    "Law",
    "Laws",
    "Rules",
    "Regulations",
    "Minn.",
    "Cal.",
    "Const.",
    "Statutes",
    "CFR",
    "C.F.R.",
    "U.S.C.",
)
"""Ends of the name of a law that stands before its section: "Revised Code § 5", "Securities Act Rule 144"."""

LAWS = (
    "Act", "Code", "Law", "Laws", "Treaty", "Regulation", "Regulations", "Directive", "Rules", "Constitution", "Convention",
    "Statute", "Order", "Ordinance", "Decision", "Rulebook", "TFEU", "TEU",
)  # fmt: skip
"""Nouns that end the name of a law: a container of sections, never looked for on their own."""

SCOPES = (
    "section", "subsection", "article", "chapter", "part", "subpart", "paragraph", "clause", "schedule", "annex",
    "appendix", "exhibit", "title", "rule", "attachment", "addendum", "subchapter",
)  # fmt: skip
"""Units that "this …" and "that …" can name."""

DIRECTIONS = {
    "preceding": -1, "previous": -1, "foregoing": -1, "prior": -1,
    "following": 1, "next": 1, "succeeding": 1, "subsequent": 1,
}  # fmt: skip
"""Words that point along the order of sections: back or on."""

PARTIES = frozenset({
    "agent", "applicant", "auditor", "authority", "bank", "board", "borrower", "buyer", "chair", "client", "commission", "committee", "company",
    "consultant", "contractor", "controller", "council", "court", "creditor", "customer", "debtor", "director", "distributor", "donor",
    "employee", "employer", "escrow", "executive", "founder", "franchisee", "franchisor", "government", "grantee", "grantor", "guarantor",
    "holder", "holding", "inc", "insured", "insurer", "investor", "issuer", "landlord", "lender", "lessee", "lessor", "licensee",
    "licensor", "manager", "member", "ministry", "obligor", "officer", "operator", "owner", "parent", "parliament", "partner",
    "partnership", "party", "parties", "partie", "processor", "promoter", "provider", "publisher", "purchaser", "recipient", "registrar",
    "reseller", "secretary", "seller", "servicer", "shareholder", "stockholder", "subcontractor", "subsidiary", "subsidiarie", "supplier",
    "tenant", "trustee", "underwriter", "union", "user", "vendor",
})  # fmt: skip
"""Those who act: "delivered under Section 4 to the Buyer" counts nothing in the Buyer. Singular, without a last s."""

NOT_HOUSES = frozenset({
    "ABOVE", "AED", "AGREEMENT", "AIX", "ALL", "AM", "AND", "ANNEX", "ANSI", "API", "APPENDIX", "ARE", "ART",
    "ARTICLE", "ASTM", "BCP", "BELOW", "BLEU", "BS", "BSD", "BY", "CD", "CET", "CFR", "CHAPTER", "CHF", "CLASS",
    "CLAUSE", "CNY", "CPU", "CSS", "CUDA", "DFARS", "DIN", "DNS", "DOM", "DVD", "EDT", "EN", "EST", "EUR",
    "EXHIBIT", "FAR", "FDD", "FIG", "FIGURE", "FIPS", "FOR", "FROM", "FTP", "GBP", "GCC", "GHZ", "GMT", "GNU",
    "GPL", "GPU", "HEREIN", "HEREOF", "HERETO", "HTML", "HTTP", "HTTPS", "IBM", "IEC", "IEEE", "IMAP", "IN",
    "IP", "IPC", "IPV", "IR", "IS", "ISO", "ITEM", "JDK", "JPY", "JRE", "JSON", "LEVEL", "LGPL", "LTE", "MAY", "MHZ",
    "MIME", "MIT", "MUST", "NFS", "NIST", "NO", "NOT", "NOTE", "NTP", "OF", "OMB", "ON", "ONLY", "PAGE", "PART",
    "PCI", "PDF", "PHP", "PM", "POP", "PST", "RAM", "RELEASE", "REST", "REV", "RFC", "ROUGE", "RULE", "SAS",
    "SCHEDULE", "SDK", "SEC", "SECTION", "SEE", "SHALL", "SMB", "SMTP", "SOAP", "SP", "SQL", "SSH", "SSL",
    "STD", "STEP", "TABLE", "THE", "THEREOF", "TLS", "TO", "TOP", "TYPE", "UNDER", "USB", "USC", "USD", "UTC",
    "UTF", "VER", "VERSION", "VOL", "WAS", "WE", "WILL", "WITH", "WPA", "XML", "YAML",
})  # fmt: skip
"""Capitals before a dotted number that are no rulebook: currencies, protocols, versions, words in capitals."""
