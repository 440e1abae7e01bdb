"""The command line. One file a command; `main` puts them together; heavy libraries load when a command needs them."""
