"""Libraries over HTTP, for people who share them and for programs.

    request ──► security (host, origin, headers) ──► token ──► Caller: role, libraries, Scope
                                                                  │
    route ──► a lane of engines, each used by one thread ──► verb(engine, scope, …) ──► JSON, SSE or PNG

What does not know of requests stands beside this page: `access` and `tokens` (who may see what), `libraries` (what is
served), `engines` (who works), `verbs` (what is answered; MCP calls the same), `questions` (asking, with a stored trace),
`answering` (a question answered by a thread here, or in `processes`, whose other end is `question_process`; `broken` is how such a process ends that breaks), `offered` (what a question may choose),
`records` (what outlives a restart), `problems` (what an error is to a caller), `jobs` and `index_job` (indexing in a process of its own), `uploads`, `pictures`,
`server` (all of it together). `api` is the same as HTTP, and alone imports FastAPI.

The scope of the caller goes into each call of an engine, and what is out of scope answers as what is not there.
"""
