"""The server as HTTP: routes under `/api/v1`, problems, security headers, metrics. Alone in importing FastAPI."""
