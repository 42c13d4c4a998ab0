/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.history;

import java.util.HashMap;
import java.util.Map;

/**
 * The model of HDFS: a few names and what each stands for, changed by one request at a time.
 *
 * @param contents of the names that exist
 */
public record Names(Map<String, String> contents) {
    /** What a READ finds at a name that does not exist. */
    public static final String NOTHING = "nothing";
    /** What a READ finds at a directory. */
    public static final String DIRECTORY = "a directory";

    /** None of the names exists. */
    public static final Names NONE = new Names(Map.of());

    public Names {
        contents = Map.copyOf(contents);
    }

    /** The state after a request, and the right answer to it. */
    public record Step(Names after, ClientAnswer answer) {}

    /** Executes a request once. */
    public Step execute(HistoryRequest request) {
        String name = request.name();
        boolean there = contents.containsKey(name);
        return switch (request.kind()) {
            case CREATE -> there ? refused() : done(with(name, request.other()));
            case DELETE -> there ? done(without(name)) : refused();
            case RENAME ->
                there && !contents.containsKey(request.other())
                        ? done(without(name).with(request.other(), contents.get(name)))
                        : refused();
            case MKDIRS -> there && !contents.get(name).equals(DIRECTORY) ? refused() : done(with(name, DIRECTORY));
            case READ -> new Step(this, ClientAnswer.found(contents.getOrDefault(name, NOTHING)));
        };
    }

    private Step refused() {
        return new Step(this, ClientAnswer.NO);
    }

    private static Step done(Names after) {
        return new Step(after, ClientAnswer.YES);
    }

    private Names with(String name, String content) {
        Map<String, String> changed = new HashMap<>(contents);
        changed.put(name, content);
        return new Names(changed);
    }

    private Names without(String name) {
        Map<String, String> changed = new HashMap<>(contents);
        changed.remove(name);
        return new Names(changed);
    }
}
