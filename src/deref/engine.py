"""The only place that picks adapters: Settings → Engine."""
