/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hashed;

import io.trefoil.federation.client.hashed.FileSystemHistory.Call;
import io.trefoil.federation.client.hashed.FileSystemHistory.Kind;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Some clients of one hashed directory, call by call in an order drawn by lot: any of them may stop for good or for long
 * after each call, and in some what makes a directory is often executed twice with others' calls between. The clients' code runs
 * unchanged: from the beginning with the answers that it had, to the call that has none yet.
 */
final class HashedTreeSimulation {

    private static final int CLIENTS = 3;
    private static final int OPERATIONS = 4;

    /** All but listings, which are no snapshots. */
    private static final List<Kind> ALL = List.of(
            Kind.MKDIR,
            Kind.CREATE,
            Kind.DELETE,
            Kind.REMOVE_EMPTY,
            Kind.LOOKUP,
            Kind.RENAME,
            Kind.RENAME_FILE,
            Kind.RENAME_FILE,
            Kind.REPLACE_FILE);

    /** For directories that often have another name. */
    private static final List<Kind> MOSTLY_RENAMES = List.of(
            Kind.MKDIR, Kind.CREATE, Kind.DELETE, Kind.LOOKUP, Kind.RENAME, Kind.RENAME, Kind.RENAME, Kind.RENAME);

    /** For files whose names are in other groups. */
    private static final List<Kind> MOSTLY_OF_FILES = List.of(
            Kind.MKDIR,
            Kind.CREATE,
            Kind.CREATE,
            Kind.DELETE,
            Kind.REMOVE_EMPTY,
            Kind.LOOKUP,
            Kind.RENAME,
            Kind.RENAME,
            Kind.RENAME_FILE,
            Kind.RENAME_FILE,
            Kind.RENAME_FILE,
            Kind.RENAME_FILE,
            Kind.RENAME_FILE);

    /** For names that are often those of a file, and then of a directory. */
    private static final List<Kind> FEW_NAMES_KINDS = List.of(
            Kind.MKDIR,
            Kind.MKDIR,
            Kind.MKDIR,
            Kind.CREATE,
            Kind.CREATE,
            Kind.DELETE,
            Kind.DELETE,
            Kind.DELETE,
            Kind.LOOKUP,
            Kind.RENAME_FILE,
            Kind.RENAME_FILE,
            Kind.RENAME_FILE,
            Kind.RENAME_FILE,
            Kind.REPLACE_FILE);

    /** For directories that are often changed. */
    private static final List<Kind> MOSTLY_CHANGES = List.of(
            Kind.MKDIR,
            Kind.DELETE,
            Kind.LOOKUP,
            Kind.LOOKUP,
            Kind.GLANCE,
            Kind.RENAME,
            Kind.RENAME,
            Kind.CHANGE,
            Kind.CHANGE,
            Kind.CHANGE,
            Kind.CHANGE);

    /** For a directory that is full or not, whenever a client looks. */
    private static final List<Kind> MOSTLY_OF_ONE = List.of(
            Kind.MKDIR,
            Kind.CREATE,
            Kind.CREATE,
            Kind.DELETE,
            Kind.REMOVE_EMPTY,
            Kind.REMOVE_EMPTY,
            Kind.LOOKUP,
            Kind.RENAME,
            Kind.RENAME,
            Kind.RENAME);

    /** Of each a few take part. */
    private static final List<String> PATHS = List.of("/a/a", "/a/b", "/a/c", "/a/d", "/a/b/a", "/a/b/c", "/b", "/b/a");

    /** How {@link HashedTree} is made, so that a test can plant a bug. */
    interface TreeFactory {
        HashedTree<FakeNamespace.Inode> create(
                HashedLayout layout, List<Group<FakeNamespace.Inode>> groups, Supplier<String> ids);
    }

    /** The next call. */
    private static final class CallGate extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final transient Supplier<?> call;

        CallGate(Supplier<?> call) {
            super(null, null, false, false);
            this.call = call;
        }
    }

    /** The first of a call that makes a directory. */
    private static final class MkdirExecution {
        private final boolean isMade;
        private final boolean isRepeated;

        MkdirExecution(boolean isMade, boolean isRepeated) {
            this.isMade = isMade;
            this.isRepeated = isRepeated;
        }
    }

    /** One operation of a client. */
    private final class Operation {
        private final Call asked;
        private final String id;
        private final List<Object> answers = new ArrayList<>();
        private int replayed;
        private int operations;
        private boolean isRepeating;
        private Supplier<?> next;

        Operation(String id, Kind kind, String path, String to) {
            this.id = id;
            this.asked = new Call(kind, path, to, time);
            history.add(asked);
            advance();
        }

        /** That of a call which HDFS executes again if it was asked again, because the first answer was lost. */
        private boolean callMkdir(Supplier<Boolean> call) {
            MkdirExecution first =
                    (MkdirExecution) call(() -> new MkdirExecution(call.get(), areRepeated && random.nextInt(4) == 0));
            if (!first.isRepeated) {
                return first.isMade;
            }
            isRepeating = true;
            boolean isMade = (Boolean) call(call);
            isRepeating = false;
            return isMade;
        }

        private Object call(Supplier<?> call) {
            if (replayed < answers.size()) {
                return answers.get(replayed++);
            }
            throw new CallGate(call);
        }

        private void advance() {
            replayed = 0;
            operations = 0;
            isRepeating = false;
            next = null;
            try {
                List<Group<FakeNamespace.Inode>> groups = namespaces.stream()
                        .map(one -> new ClientGroup(this, one))
                        .collect(Collectors.toList());
                HashedTree<FakeNamespace.Inode> tree = trees.create(layout, groups, () -> id + "-" + operations++);
                asked.end(run(tree), time);
            } catch (CallGate call) {
                next = call.call;
            } catch (UnknownDeletionException | UnknownRenameException | UnknownChangeException unknown) {
                // Without an answer it may have happened at any time.
            } catch (IOException e) {
                failure = Optional.of("seed " + seed + ", " + asked + " " + e.getMessage());
            }
        }

        private String run(HashedTree<FakeNamespace.Inode> tree) throws IOException {
            String path = asked.path;
            return switch (asked.kind) {
                case MKDIR -> describeMkdir(tree.mkdir(path, 0755));
                case CREATE -> create(tree, path);
                case DELETE -> describeDelete(tree.delete(path, true));
                case REMOVE_EMPTY -> describeDelete(tree.delete(path, false));
                case RENAME -> describeRename(tree.renameDirectory(path, asked.to));
                case RENAME_FILE -> describeRename(tree.renameFile(path, asked.to));
                case REPLACE_FILE -> describeRename(tree.replaceFile(path, asked.to));
                case CHANGE -> tree.changeAccess(path, this::verifyChanged).orElse("nothing");
                case GLANCE -> {
                    tree.list(path);
                    yield "";
                }
                case LOOKUP ->
                    tree.lookup(path).map(HashedTreeSimulation::describeKind).orElse("nothing");
                case LIST ->
                    tree.list(path).orElseGet(ArrayList::new).stream()
                            .map(Entry::name)
                            .collect(Collectors.toList())
                            .toString();
            };
        }

        private String create(HashedTree<FakeNamespace.Inode> tree, String path) throws IOException {
            try {
                return tree.createFile(path, this::verifyCreated, FileAlreadyExistsException.class::isInstance)
                        .orElse("no parent");
            } catch (FileAlreadyExistsException there) {
                return "taken";
            }
        }

        @SuppressWarnings("unchecked")
        private Optional<String> verifyCreated(int group, String path) throws IOException {
            FakeNamespace namespace = namespaces.get(group);
            Optional<Boolean> isMade = (Optional<Boolean>) call(() -> namespace.create(path));
            if (isMade.isPresent() && !isMade.get()) {
                throw new FileAlreadyExistsException(path);
            }
            return isMade.map(made -> "made");
        }

        @SuppressWarnings("unchecked")
        private Optional<String> verifyChanged(int group, String path) {
            FakeNamespace namespace = namespaces.get(group);
            int mode = Integer.parseInt(asked.to, 8);
            Optional<Boolean> isChanged = (Optional<Boolean>) call(() -> namespace.setMode(path, mode));
            return isChanged.map(changed -> "changed");
        }

        void step() {
            answers.add(next.get());
            advance();
        }

        boolean isOver() {
            return next == null;
        }
    }

    private static String describeMkdir(HashedTree.MkdirResult result) {
        return switch (result) {
            case MADE -> "made";
            case EXISTS -> "directory";
            case TAKEN -> "file";
            case NO_PARENT -> "no parent";
        };
    }

    private static String describeDelete(HashedTree.DeleteResult result) {
        return switch (result) {
            case DELETED -> "deleted";
            case ABSENT -> "nothing";
            case NOT_EMPTY -> "not empty";
        };
    }

    private static String describeRename(HashedTree.RenameResult result) {
        return switch (result) {
            case RENAMED -> "renamed";
            case ABSENT -> "nothing";
            case TAKEN -> "taken";
            case NO_PARENT -> "no parent";
            case STICKY -> "sticky";
        };
    }

    private static String describeKind(FakeNamespace.Inode inode) {
        return inode.isDirectory() ? FileSystemHistory.describeDirectory(inode.mode()) : "file";
    }

    /** A group as a client has it. */
    @SuppressWarnings("unchecked")
    private static final class ClientGroup implements Group<FakeNamespace.Inode> {
        private final Operation operation;
        private final FakeNamespace namespace;

        ClientGroup(Operation operation, FakeNamespace namespace) {
            this.operation = operation;
            this.namespace = namespace;
        }

        @Override
        public Optional<FakeNamespace.Inode> stat(String path) {
            return (Optional<FakeNamespace.Inode>) operation.call(() -> namespace.stat(path));
        }

        @Override
        public Optional<List<FakeNamespace.Inode>> list(String path) {
            return (Optional<List<FakeNamespace.Inode>>) operation.call(() -> namespace.list(path));
        }

        @Override
        public boolean mkdir(String path, int mode) {
            return operation.callMkdir(() -> namespace.mkdir(path, mode));
        }

        @Override
        public boolean mkdirLike(String path, Access otherAccess) {
            return operation.callMkdir(() -> namespace.mkdirLike(path, otherAccess));
        }

        @Override
        public Optional<Access> access(String path) {
            return (Optional<Access>) operation.call(() -> namespace.access(path));
        }

        @Override
        public void setAccess(String path, Access from, Access to) {
            operation.call(() -> {
                namespace.setAccess(path, from, to);
                return true;
            });
        }

        @Override
        public Optional<Map<String, String>> attributes(String path) {
            return (Optional<Map<String, String>>) operation.call(() -> namespace.attributes(path));
        }

        @Override
        public void setAttributes(String path, Map<String, String> attributes) {
            operation.call(() -> {
                namespace.setAttributes(path, attributes);
                return true;
            });
        }

        @Override
        public boolean isAbandoned(FakeNamespace.Inode entry) {
            return namespace.isAbandoned(entry);
        }

        @Override
        public void mkdirs(String path, int mode) {
            operation.callMkdir(() -> {
                namespace.mkdirs(path, mode);
                return true;
            });
        }

        @Override
        public boolean rename(String from, String to) {
            return (Boolean) operation.call(() -> namespace.rename(from, to));
        }

        @Override
        public boolean mkdirWithAccessFor(String path, FakeNamespace.Inode child) {
            return operation.callMkdir(() -> namespace.mkdirWithAccessFor(path, child));
        }

        @Override
        public boolean renameFile(String from, String to) {
            return (Boolean) operation.call(() -> namespace.renameFile(from, to));
        }

        @Override
        public boolean replaceFile(String from, String to) {
            return (Boolean) operation.call(() -> namespace.replaceFile(from, to));
        }

        @Override
        public FakeNamespace.Inode withName(FakeNamespace.Inode entry, String name) {
            return namespace.withName(entry, name);
        }

        @Override
        public Removal removeIfEmpty(String path) {
            return (Removal) operation.call(() -> namespace.removeIfEmpty(path));
        }

        @Override
        public void removeRecursively(String path) {
            operation.call(() -> {
                namespace.removeRecursively(path);
                return true;
            });
        }
    }

    private Operation drawOperation(String id) {
        Kind kind = kinds.get(random.nextInt(kinds.size()));
        String path = paths.get(random.nextInt(paths.size()));
        if (kind == Kind.RENAME_FILE || kind == Kind.REPLACE_FILE) {
            String from = pickPreferring(paths, this::isFile);
            // Mostly to a name that others use as well.
            List<String> names = random.nextInt(4) == 0 && kinds != FEW_NAMES_KINDS ? PATHS : paths;
            List<String> others = names.stream().filter(to -> !to.equals(from)).collect(Collectors.toList());
            String to = pickPreferring(others, one -> isDirectory(HashedLayout.parentOf(one)));
            if (!paths.contains(to)) {
                paths.add(to);
            }
            return new Operation(id, kind, from, to);
        }
        if (kind == Kind.CHANGE) {
            String mode = Integer.toOctalString(0700 + random.nextInt(8));
            return new Operation(id, kind, pickPreferring(paths, this::isDirectory), mode);
        }
        if (kind != Kind.RENAME) {
            return new Operation(id, kind, path, "");
        }
        // Mostly one that can be done, as far as this can be seen from here.
        String from = pickPreferring(paths, this::isDirectory);
        // Callers see to it that no directory is renamed into itself.
        List<String> others = PATHS.stream()
                .filter(to -> !(from + "/").startsWith(to + "/") && !(to + "/").startsWith(from + "/"))
                .collect(Collectors.toList());
        String to = pickPreferring(others, one -> isDirectory(HashedLayout.parentOf(one)));
        if (!paths.contains(to)) {
            paths.add(to);
        }
        return new Operation(id, kind, from, to);
    }

    private String pickPreferring(List<String> candidates, Predicate<String> predicate) {
        List<String> shuffled = new ArrayList<>(candidates);
        Collections.shuffle(shuffled, random);
        String any = shuffled.get(0);
        return random.nextInt(4) == 0
                ? any
                : shuffled.stream().filter(predicate).findFirst().orElse(any);
    }

    private boolean isDirectory(String path) {
        return findVisible(path).filter(Entry::isDirectory).isPresent();
    }

    /** Or a signpost. */
    private boolean isFile(String path) {
        return findVisible(path)
                .filter(one -> !one.isDirectory() || one.childCount() != 1)
                .isPresent();
    }

    private Optional<FakeNamespace.Inode> findVisible(String path) {
        int home = layout.homeOf(path);
        return namespaces.get(home).stat(layout.placePath(home, path));
    }

    /** One client; it asks again when it has its answer, unless it has stopped. */
    private final class Client {
        private final String name;
        private Operation current;
        private int requestCount;
        private int asleepUntil;
        private boolean hasStopped;

        Client(String name) {
            this.name = name;
        }

        boolean canAct() {
            return !hasStopped && (requestCount < OPERATIONS || !current.isOver());
        }

        void act() {
            if (current == null || current.isOver()) {
                requestCount++;
                current = drawOperation(name + requestCount);
            } else {
                current.step();
            }
            int lot = random.nextInt(100);
            if (lot < stops) {
                hasStopped = true;
            } else if (lot < stops + sleeps || current.isRepeating) {
                asleepUntil = time + random.nextInt(100);
            }
        }
    }

    private final long seed;
    private final TreeFactory trees;
    private final Random random;
    private final HashedLayout layout;
    private final List<FakeNamespace> namespaces = new ArrayList<>();
    private final List<Call> history = new ArrayList<>();
    private final List<String> paths = new ArrayList<>();
    private final List<Kind> kinds;
    private final int repeatChance;
    private final int stops;
    private final int sleeps;
    private final boolean areRepeated;
    private Optional<String> failure = Optional.empty();
    private int time;

    /** Some of many names. */
    static HashedTreeSimulation withManyNames(long seed, TreeFactory trees) {
        Random random = new Random(seed);
        HashedLayout layout = new HashedLayout("/hashed", 2 + random.nextInt(2));
        List<Kind> kinds = List.of(ALL, MOSTLY_RENAMES, MOSTLY_OF_FILES).get(random.nextInt(3));
        HashedTreeSimulation simulation = new HashedTreeSimulation(seed, trees, random, layout, kinds, 10);
        List<String> drawn = new ArrayList<>(PATHS);
        Collections.shuffle(drawn, random);
        simulation.paths.add("/a");
        simulation.paths.addAll(drawn.subList(0, 1 + random.nextInt(4)));
        return simulation;
    }

    /** Directories that are changed. */
    static HashedTreeSimulation withDirectoryChanges(long seed, TreeFactory trees) {
        Random random = new Random(seed);
        HashedLayout layout = new HashedLayout("/hashed", 2 + random.nextInt(2));
        HashedTreeSimulation simulation = new HashedTreeSimulation(seed, trees, random, layout, MOSTLY_CHANGES, 20);
        List<String> drawn = new ArrayList<>(PATHS);
        Collections.shuffle(drawn, random);
        simulation.paths.add("/a");
        simulation.paths.addAll(drawn.subList(0, random.nextInt(3)));
        return simulation;
    }

    /** Two names of one home, and at times one of the other. */
    static HashedTreeSimulation withFewNames(long seed, TreeFactory trees) {
        Random random = new Random(seed);
        HashedLayout layout = new HashedLayout("/hashed", 2);
        HashedTreeSimulation simulation = new HashedTreeSimulation(seed, trees, random, layout, FEW_NAMES_KINDS, 40);
        for (int home : random.nextBoolean() ? List.of(0, 0) : List.of(0, 0, 1)) {
            String name = "/a";
            while (layout.homeOf(name) != home || simulation.paths.contains(name)) {
                name += "a";
            }
            simulation.paths.add(name);
        }
        return simulation;
    }

    /** A directory in one, with something in it; what makes a directory is often executed twice. */
    static HashedTreeSimulation withRepeatedCalls(long seed, TreeFactory trees) {
        Random random = new Random(seed);
        HashedLayout layout = new HashedLayout("/hashed", 2);
        HashedTreeSimulation simulation = new HashedTreeSimulation(seed, trees, random, layout, MOSTLY_OF_ONE, 10);
        simulation.paths.addAll(List.of("/a", "/a/b", "/a/b/a"));
        return simulation;
    }

    /** @param drowsy how many times of a hundred a client falls asleep after a call, at most */
    private HashedTreeSimulation(
            long seed, TreeFactory trees, Random random, HashedLayout layout, List<Kind> kinds, int drowsy) {
        this.seed = seed;
        this.trees = trees;
        this.random = random;
        this.layout = layout;
        this.kinds = kinds;
        this.repeatChance = random.nextInt(10);
        this.stops = random.nextInt(5);
        this.sleeps = random.nextInt(drowsy);
        this.areRepeated = kinds == MOSTLY_OF_ONE;
        for (int group = 0; group < layout.groupCount(); group++) {
            FakeNamespace namespace = new FakeNamespace(1000L * (group + 1));
            namespace.mkdirs(layout.placePath(group, ""), 0);
            namespace.mkdirs(HashedLayout.renamesOf("/hashed"), 0);
            namespaces.add(namespace);
        }
    }

    /** @return what is wrong; empty if nothing is */
    Optional<String> run() {
        prepare();
        Client last = null;
        List<Client> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(new Client("c" + i + "-"));
        }
        while (true) {
            List<Client> able = clients.stream().filter(Client::canAct).collect(Collectors.toList());
            if (able.isEmpty()) {
                break;
            }
            List<Client> awake =
                    able.stream().filter(one -> one.asleepUntil <= time).collect(Collectors.toList());
            List<Client> any = awake.isEmpty() ? able : awake;
            if (last == null || !any.contains(last) || random.nextInt(10) >= repeatChance) {
                last = any.get(random.nextInt(any.size()));
            }
            last.act();
            time++;
        }
        lookAtEverything();
        if (failure.isPresent()) {
            return failure;
        }
        return new FileSystemHistory(history).isLinearizable()
                ? Optional.empty()
                : Optional.of("seed " + seed + ", " + layout.groupCount() + " groups:\n"
                        + history.stream().map(Call::toString).collect(Collectors.joining("\n")));
    }

    /** Something is there already. */
    private void prepare() {
        for (String path : paths) {
            if (random.nextInt(4) > 0) {
                callAsObserver(
                        path.equals("/a")
                                        || random.nextInt(4)
                                                < (kinds == MOSTLY_RENAMES || kinds == MOSTLY_CHANGES ? 3 : 2)
                                ? Kind.MKDIR
                                : Kind.CREATE,
                        path);
            }
        }
    }

    /** A client that was not there before looks at everything, in any order. */
    private void lookAtEverything() {
        List<Kind> looks = List.of(Kind.LOOKUP, Kind.LOOKUP, Kind.LIST);
        for (int i = 0; i < 3 * paths.size(); i++) {
            callAsObserver(looks.get(random.nextInt(looks.size())), paths.get(random.nextInt(paths.size())));
        }
        Deque<String> directories = new ArrayDeque<>(List.of(""));
        while (!directories.isEmpty()) {
            String directory = directories.pop();
            List<String> names = callAsObserver(Kind.LIST, directory).listedNames();
            requireSameAccess(directory);
            for (String name : names) {
                if (callAsObserver(Kind.LOOKUP, directory + "/" + name).isDirectory()) {
                    directories.push(directory + "/" + name);
                }
            }
        }
    }

    /** What decides in each group who gets at the files. */
    private void requireSameAccess(String directory) {
        TreeSet<String> modes = new TreeSet<>();
        for (int group = 0; group < namespaces.size(); group++) {
            for (String one : List.of(layout.placePath(group, directory), layout.contentsPath(group, directory))) {
                modes.add(namespaces
                        .get(group)
                        .stat(one)
                        .map(HashedTreeSimulation::describeKind)
                        .orElse("nothing"));
            }
        }
        if (modes.size() != 1) {
            failure = Optional.of("seed " + seed + ": the parts of " + directory + " are " + modes + "\n"
                    + history.stream().map(Call::toString).collect(Collectors.joining("\n")));
        }
    }

    private Call callAsObserver(Kind kind, String path) {
        time++;
        Operation operation = new Operation("one" + time, kind, path, "");
        while (!operation.isOver()) {
            time++;
            operation.step();
        }
        return operation.asked;
    }
}
