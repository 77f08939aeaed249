#!/bin/sh
# Stops make release if the tree has changes that are not committed, or if VERSION was released from another commit.
[ -z "$(git status --porcelain)" ] || { echo "make release: there are changes that are not committed; commit them first" >&2; exit 1; }
tag=v$(cat VERSION)
at=$(git rev-parse -q --verify "refs/tags/$tag^{commit}") || exit 0
[ "$at" = "$(git rev-parse HEAD)" ] || { echo "make release: the tag $tag is on another commit; raise VERSION" >&2; exit 1; }
