"""What papers are called: the kinds of document that a question may name. Data alone; `intent` reads it.

A line is one kind under all its names, parted by "|". The kind of a title and that of a question are the same when
both are on one line, so only names that mean the very same kind of paper share one: an asset purchase agreement is no share
purchase agreement. A kind with a word before it ("ground lease") needs no line: the word tells it apart. The words are folded as `text.trigrams.name_words` does, so case, accents and hyphens do not
matter, nor does a plural in s.
"""

from __future__ import annotations

NAMED_ALONE = """
bond mortgage | mortgage bond
mortgage note | mortgage loan note
mortgage | deed of trust | mortgage deed | hypotheque | hipoteca | ipoteca | hypothek | grundschuldbestellung
promissory note | schuldschein | pagare | billet a ordre | nota promissoria
convertible note | convertible promissory note
demand note
term note
operating agreement | limited liability company agreement | llc agreement | company agreement
partnership agreement | gesellschaftsvertrag | contrat de societe
limited partnership agreement
loan agreement | darlehensvertrag | contrat de pret | contrato de prestamo | contratto di mutuo
credit agreement | facility agreement | facilities agreement | credit facility | kreditvertrag | contrat de credit
regulatory agreement | land use restriction agreement
loan and regulatory agreement
environmental indemnity agreement | environmental indemnity
indemnity agreement | indemnification agreement
security agreement | sicherungsvertrag
pledge agreement
pledge and security agreement
intercreditor agreement
subordination agreement
guaranty agreement | guaranty | guarantee agreement | guarantee | burgschaft | garantia | cautionnement
limited guaranty | limited guarantee
lease agreement | lease | tenancy agreement | rental agreement | mietvertrag | pachtvertrag | contrat de bail | contrato de arrendamiento | contratto di locazione | huurovereenkomst
sublease | sublease agreement
assignment of leases and rents | assignment of leases | assignment of rents
assignment and assumption agreement | assignment and assumption
purchase agreement | sale and purchase agreement | purchase and sale agreement | spa | kaufvertrag | contrat de vente | contrato de compraventa
share purchase agreement | stock purchase agreement
asset purchase agreement
acquisition agreement
merger agreement | agreement and plan of merger
investment agreement
subscription agreement
shareholders agreement | stockholders agreement | aktionarsbindungsvertrag | pacte d actionnaires
investors rights agreement | investor rights agreement
voting agreement
right of first refusal agreement | right of first refusal and co sale agreement
non disclosure agreement | nondisclosure agreement | confidentiality agreement | mutual nda | nda | geheimhaltungsvereinbarung | accord de confidentialite | acuerdo de confidencialidad
employment agreement | employment contract | arbeitsvertrag | contrat de travail | contrato de trabajo | arbeidsovereenkomst
offer letter
severance agreement | separation agreement
non compete agreement
service agreement | services agreement | dienstleistungsvertrag | contrat de services
master service agreement | master services agreement | msa
service level agreement | sla
data processing agreement | data processing addendum | dpa
statement of work | sow | scope of work
license agreement | licence agreement | licensing agreement | lizenzvertrag | contrat de licence | contrato de licencia
franchise agreement
distribution agreement | distributor agreement
reseller agreement
supply agreement
manufacturing agreement
development agreement
collaboration agreement
cooperation agreement
joint venture agreement
consulting agreement
agency agreement
affiliate agreement
sponsorship agreement
endorsement agreement
hosting agreement
maintenance agreement
outsourcing agreement
transportation agreement
settlement agreement
escrow agreement
trust agreement | declaration of trust | trust deed
management agreement
co branding agreement
construction contract | construction agreement
transition services agreement
term sheet | heads of terms
letter of intent
memorandum of understanding | mou
indenture | trust indenture
warrant agreement
legal opinion | opinion letter | opinion of counsel | rechtsgutachten | avis juridique
certificate of incorporation | articles of incorporation
certificate of formation | articles of organization
articles of association | satzung | statuts | estatutos | statuto | statuten
memorandum of association
by laws | bylaws | by law | bylaw
board resolution | board consent
written consent
stockholder consent | shareholder consent | stockholder resolution | shareholder resolution
closing checklist
disclosure schedule | disclosure schedules | disclosure letter
deed of gift | quitclaim deed | warranty deed
power of attorney | vollmacht | procuration | poder notarial
last will and testament
due diligence report
financing statement
estoppel certificate
closing certificate
officers certificate
secretary certificate
code of conduct | verhaltenskodex | code de conduite | codigo de conducta
terms of service | terms of use | terms and conditions | general terms and conditions | allgemeine geschaftsbedingungen | agb | conditions generales | condiciones generales
privacy policy | privacy notice | datenschutzerklarung | politique de confidentialite | politica de privacidad
employee handbook | staff handbook
leave policy
rulebook
constitution | basic law | grundgesetz
"""
"""Kinds that are one paper on most shelves: "the operating agreement" names one without another word."""

WITH_A_WORD = """
agreement | contract | vertrag | vereinbarung | contrat | accord | contrato | acuerdo | contratto | accordo | acordo | overeenkomst
policy | richtlinie | politique | politica | beleid
note
bond
deed | urkunde | acte | escritura
warrant
license | licence | lizenz
certificate | certification | zertifikat | certificat | certificado | certificato | bescheinigung
consent | consents
approval
resolution | beschluss
opinion
letter
notice
memorandum | memo
minutes | protokoll
amendment | addendum
statement
checklist
questionnaire
report | bericht | rapport | informe | relazione | relatorio
assessment
audit
proposal
prospectus | offering memorandum | private placement memorandum
plan
program | programme
procedure | procedures
protocol
charter | charta
code | gesetzbuch | codigo | codice
act | law | statute | gesetz | loi | ley | legge | lei
rules
bylaw
directive | directiva | direttiva | diretiva
regulation | regulations | verordnung | reglement | reglamento | regolamento | regulamento
ordinance
treaty | convention
standard | norm | norme | norma
specification | spec
guideline | guidelines | guidance | leitlinie
manual | guide | handbook | user guide | user manual | service manual | reference manual | installation guide | install guide | handbuch | anleitung | manuel | guia | manuale
whitepaper | white paper
framework
schedule | exhibit
catalog | catalogue
invoice
order
"""
"""Kinds that say nothing alone: they name a paper with another word only ("the leave policy", "the pump manual")."""

WITH_A_NUMBER = """
rfc | request for comments
sp | special publication
fips | fips pub | federal information processing standard
ir | nistir | interagency report | internal report
cswp
iso | iso iec | iec
ieee
din
part | far part | dfars part | cfr part
regulation | verordnung | reglement | reglamento | regolamento
directive | richtlinie | directiva | direttiva
act
circular
bulletin
order
form
release
"""
"""Kinds whose papers bear a number: they name one with it ("RFC 9000", "Part 15", "Directive 95/46/EC")."""

PAPERS = "manual guide handbook documentation docs paper document file pdf report text spec specification book reference"
"""Words for any paper, which its own title need not have: "the microtype manual" is the document that is called microtype."""

OF_NO_MATTER = (
    "executed signed current latest attached original final draft new existing standard actual full whole present "
    "applicable relevant above amended restated recorded first nist ietf us u s uk eu ec eec federal official published "
    "company tenant landlord borrower lender customer supplier buyer seller employer employee investor parties party llc inc ltd plc corp "
    "corporation limited gmbh ag sa sas srl spa bv nv"
)
"""Words beside a kind that its title need not have: states of a paper, who publishes it, roles, forms of companies."""
