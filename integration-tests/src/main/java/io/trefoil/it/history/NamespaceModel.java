/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.history;

import java.util.HashMap;
import java.util.Map;

/**
 * The model of HDFS: a few names and their meanings, changed by one request at a time.
 *
 * @param contents of the names that exist
 */
public record NamespaceModel(Map<String, String> contents) {
    /** The answer of a READ of a name that does not exist. */
    public static final String NOTHING = "nothing";
    /** The answer of a READ of a directory. */
    public static final String DIRECTORY = "a directory";

    /** A namespace in which none of the names exists. */
    public static final NamespaceModel NONE = new NamespaceModel(Map.of());

    public NamespaceModel {
        contents = Map.copyOf(contents);
    }

    /** The state after a request, and the correct answer to it. */
    public record Step(NamespaceModel after, ClientAnswer answer) {}

    /** Executes a request once. */
    public Step execute(HistoryRequest request) {
        String name = request.name();
        boolean exists = contents.containsKey(name);
        return switch (request.kind()) {
            case CREATE -> exists ? refused() : done(with(name, request.otherPath()));
            case DELETE -> exists ? done(without(name)) : refused();
            case RENAME ->
                exists && !contents.containsKey(request.otherPath())
                        ? done(without(name).with(request.otherPath(), contents.get(name)))
                        : refused();
            case MKDIRS -> exists && !contents.get(name).equals(DIRECTORY) ? refused() : done(with(name, DIRECTORY));
            case READ -> new Step(this, ClientAnswer.found(contents.getOrDefault(name, NOTHING)));
        };
    }

    private Step refused() {
        return new Step(this, ClientAnswer.NO);
    }

    private static Step done(NamespaceModel after) {
        return new Step(after, ClientAnswer.YES);
    }

    private NamespaceModel with(String name, String content) {
        Map<String, String> changed = new HashMap<>(contents);
        changed.put(name, content);
        return new NamespaceModel(changed);
    }

    private NamespaceModel without(String name) {
        Map<String, String> changed = new HashMap<>(contents);
        changed.remove(name);
        return new NamespaceModel(changed);
    }
}
