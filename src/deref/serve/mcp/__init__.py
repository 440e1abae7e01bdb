"""Libraries as tools of a language model, by the Model Context Protocol: `deref mcp`.

    call ──► Caller (the user on stdio, a token on HTTP) ──► shelf (brought up to date) ──► a lane of engines
                                                                  │
    tool(engine, scope, …) ──► a result of a closed shape, with places to cite, cut to size ──► without hidden signs

`asked` and `given` are the shapes that come in and go out, `room` cuts to size, `reading` and `following` are the tools as functions
of an engine and the scope of the caller, `tools` lists them with what a model is told of each, `shelves` keeps libraries at
hand, `lent` has those of `deref serve`, `protocol` is all of it as a server of the official SDK, `http` that server behind tokens,
`mounted` the same in the application of `deref serve`. The functions below `serve`
that know of no request are those of the HTTP API: there is no second way to a document.
"""
