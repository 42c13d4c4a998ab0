/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hashed;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What several clients asked of one file system and were told, with the order as far as they can know it; and whether there
 * is any order in which one file system gives these answers.
 */
final class FileSystemHistory {

    /** What is asked. */
    enum Kind {
        MKDIR,
        CREATE,
        DELETE,
        REMOVE_EMPTY,
        RENAME,
        RENAME_FILE,
        REPLACE_FILE,
        CHANGE,
        /** A listing whose answer is not compared. */
        GLANCE,
        LOOKUP,
        LIST
    }

    /** What was asked and answered. */
    static final class Call {
        final Kind kind;
        final String path;
        /** The new path of a rename, or the new mode of a change; otherwise empty. */
        final String to;

        private final int begun;
        private int ended = Integer.MAX_VALUE;
        private String answer;

        Call(Kind kind, String path, String to, int begun) {
            this.kind = kind;
            this.path = path;
            this.to = to;
            this.begun = begun;
        }

        void end(String result, int time) {
            answer = result;
            ended = time;
        }

        /** Of a list. */
        List<String> listedNames() {
            String names = answer == null ? "" : answer.substring(1, answer.length() - 1);
            return names.isEmpty() ? List.of() : List.of(names.split(", "));
        }

        /** Of a lookup. */
        boolean isDirectory() {
            return answer != null && answer.startsWith(DIRECTORY);
        }

        private boolean isAnswered() {
            return answer != null;
        }

        @Override
        public String toString() {
            return begun + "-" + (isAnswered() ? ended : "?") + " " + kind + " " + path + " " + to + ": " + answer;
        }
    }

    private static final String FILE = "file";
    private static final String DIRECTORY = "directory";
    private static final String TAKEN = "taken";

    /** What those have that are made. */
    private static final int MODE = 0755;

    private final List<Call> calls;
    private final Set<String> seen = new HashSet<>();

    FileSystemHistory(List<Call> calls) {
        this.calls = calls;
    }

    boolean isLinearizable() {
        TreeMap<String, String> empty = new TreeMap<>();
        empty.put("", describeDirectory(MODE));
        return canContinue(empty, new boolean[calls.size()]);
    }

    private boolean canContinue(SortedMap<String, String> state, boolean[] completed) {
        int firstEnd = Integer.MAX_VALUE;
        boolean isOver = true;
        StringBuilder key = new StringBuilder(state.toString());
        for (int i = 0; i < completed.length; i++) {
            key.append(completed[i] ? '1' : '0');
            if (!completed[i] && calls.get(i).isAnswered()) {
                isOver = false;
                firstEnd = Math.min(firstEnd, calls.get(i).ended);
            }
        }
        if (isOver) {
            return true;
        }
        if (!seen.add(key.toString())) {
            return false;
        }
        for (int i = 0; i < completed.length; i++) {
            Call call = calls.get(i);
            if (!completed[i] && call.begun <= firstEnd) {
                completed[i] = true;
                for (SortedMap<String, String> next : statesAfter(call, state)) {
                    if (canContinue(next, completed)) {
                        return true;
                    }
                }
                completed[i] = false;
            }
        }
        return false;
    }

    /** What there may be after a call; nothing if it cannot have been answered as it was. */
    private static List<SortedMap<String, String>> statesAfter(Call call, SortedMap<String, String> state) {
        List<SortedMap<String, String>> all = new ArrayList<>();
        if (call.kind == Kind.CHANGE && !call.isAnswered()) {
            // A directory that was renamed meanwhile, or what is above it, may be changed with its new name.
            state.forEach((path, what) -> {
                if (matches(DIRECTORY, what)) {
                    TreeMap<String, String> next = new TreeMap<>(state);
                    next.put(path, DIRECTORY + " " + call.to);
                    all.add(next);
                }
            });
            return all;
        }
        TreeMap<String, String> next = new TreeMap<>(state);
        String answer = apply(call, next);
        if (!call.isAnswered() || Objects.equals(answer, call.answer)) {
            all.add(next);
        }
        return all;
    }

    /** What a client sees that looks at a directory. */
    static String describeDirectory(int mode) {
        return DIRECTORY + " " + Integer.toOctalString(mode);
    }

    private static boolean matches(String operation, String there) {
        return there != null && there.startsWith(operation);
    }

    private static String apply(Call call, SortedMap<String, String> state) {
        return switch (call.kind) {
            case CHANGE -> change(call, state);
            case GLANCE -> call.answer;
            case LOOKUP -> state.getOrDefault(call.path, "nothing");
            case LIST -> names(call.path, state).toString();
            case MKDIR -> mkdir(call.path, state);
            case CREATE -> create(call.path, state);
            case DELETE -> delete(call.path, state);
            case REMOVE_EMPTY -> names(call.path, state).isEmpty() ? delete(call.path, state) : "not empty";
            case RENAME -> rename(call, DIRECTORY, state);
            case RENAME_FILE -> rename(call, FILE, state);
            case REPLACE_FILE -> replace(call, state);
        };
    }

    /** Any reason not to do it is a right answer. */
    private static String rename(Call call, String operation, SortedMap<String, String> state) {
        List<String> reasons = new ArrayList<>();
        if (!matches(operation, state.get(call.path))) {
            reasons.add("nothing");
        }
        if (state.containsKey(call.to)) {
            reasons.add(TAKEN);
        }
        if (!matches(DIRECTORY, state.get(HashedLayout.parentOf(call.to)))) {
            reasons.add("no parent");
        }
        if (!reasons.isEmpty()) {
            return reasons.contains(call.answer) ? call.answer : reasons.get(0);
        }
        for (String one : List.copyOf(state.keySet())) {
            if (one.equals(call.path) || one.startsWith(call.path + "/")) {
                state.put(call.to + one.substring(call.path.length()), state.remove(one));
            }
        }
        return "renamed";
    }

    /** It need not be done: what is in several groups is not replaced. */
    private static String replace(Call call, SortedMap<String, String> state) {
        if (TAKEN.equals(call.answer)) {
            return TAKEN;
        }
        if (FILE.equals(state.get(call.path)) && FILE.equals(state.get(call.to))) {
            state.remove(call.to);
        }
        return rename(call, FILE, state);
    }

    private static String create(String path, SortedMap<String, String> state) {
        String there = applyCreation(path, FILE, state);
        return matches(FILE, there) || matches(DIRECTORY, there) ? TAKEN : there;
    }

    private static String mkdir(String path, SortedMap<String, String> state) {
        String there = applyCreation(path, describeDirectory(MODE), state);
        return matches(DIRECTORY, there) ? DIRECTORY : there;
    }

    private static String change(Call call, SortedMap<String, String> state) {
        boolean isThere = matches(DIRECTORY, state.get(call.path));
        if (isThere) {
            state.put(call.path, DIRECTORY + " " + call.to);
        }
        return isThere ? "changed" : "nothing";
    }

    private static String applyCreation(String path, String operation, SortedMap<String, String> state) {
        if (!matches(DIRECTORY, state.get(HashedLayout.parentOf(path)))) {
            return "no parent";
        }
        String there = state.putIfAbsent(path, operation);
        return there == null ? "made" : there;
    }

    private static String delete(String path, SortedMap<String, String> state) {
        boolean isThere = state.keySet().removeIf(one -> one.equals(path) || one.startsWith(path + "/"));
        return isThere ? "deleted" : "nothing";
    }

    private static List<String> names(String path, SortedMap<String, String> state) {
        return state.keySet().stream()
                .filter(one -> !one.isEmpty() && HashedLayout.parentOf(one).equals(path))
                .map(HashedLayout::nameOf)
                .collect(Collectors.toList());
    }
}
