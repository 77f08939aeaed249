# The publisher's names, in every package. Who publishes changes them first (docs/releasing.md).
NPM_NAME    := quire-mcp
MCP_NAME    := io.github.example/quire
REPOSITORY  := https://github.com/example/quire
IMAGE       := ghcr.io/example/quire
MAINTAINER  := The quire authors <quire@example.org>
