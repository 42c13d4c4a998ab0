/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hashed;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A nameservice in memory: its calls are those of HDFS as far as hashed directories use them. */
final class FakeNamespace implements Group<FakeNamespace.Inode> {

    /** A file or directory. */
    static final class Inode implements Entry {
        private final long id;
        private final boolean isDirectory;
        private final Map<String, Inode> children = new TreeMap<>();
        private String name = "";
        private Inode parent;
        private int count;
        private Access access;
        private Map<String, String> attributes = Map.of();

        Inode(long id, boolean isDirectory) {
            this(id, isDirectory, 0);
        }

        private Inode(long id, boolean isDirectory, int mode) {
            this.id = id;
            this.isDirectory = isDirectory;
            this.access = accessOfMode(mode);
        }

        int mode() {
            return access.mode();
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public long id() {
            return id;
        }

        @Override
        public boolean isDirectory() {
            return isDirectory;
        }

        @Override
        public boolean isSticky() {
            return false;
        }

        @Override
        public int childCount() {
            return count;
        }

        private void moveTo(Inode directory, String newName) {
            parent = directory;
            name = newName;
            directory.children.put(newName, this);
        }

        private void detach() {
            parent.children.remove(name);
            parent = null;
        }

        private boolean isDescendantOf(Inode otherInode) {
            return this == otherInode || (parent != null && parent.isDescendantOf(otherInode));
        }
    }

    private static final String INODE_ID_PREFIX = "/.reserved/.inodes/";
    private static final int FILE_PERMISSION = 0644;

    private final Map<Long, Inode> inodes = new TreeMap<>();
    private final Inode root;
    private long last;

    /** @param first the number of its root, so that those of several namespaces differ */
    FakeNamespace(long first) {
        last = first;
        root = new Inode(first, true);
        inodes.put(first, root);
    }

    @Override
    public void mkdirs(String path, int mode) {
        Inode at = root;
        for (String name : path.substring(1).split("/")) {
            Inode next = at.children.get(name);
            if (next == null) {
                next = createInode(true, mode);
                next.moveTo(at, name);
            }
            at = next;
        }
    }

    static Access accessOfMode(int mode) {
        return Access.of("user", "group", mode, List.of());
    }

    private Inode createInode(boolean isDirectory, int mode) {
        last++;
        Inode inode = new Inode(last, isDirectory, mode);
        inodes.put(last, inode);
        return inode;
    }

    private Inode find(String path) {
        Inode at = root;
        String rest = path;
        if (path.startsWith(INODE_ID_PREFIX)) {
            String tail = path.substring(INODE_ID_PREFIX.length());
            int slash = tail.indexOf('/');
            at = inodes.get(Long.parseLong(slash < 0 ? tail : tail.substring(0, slash)));
            rest = slash < 0 ? "" : tail.substring(slash);
        }
        for (String name : rest.split("/")) {
            if (at != null && !name.isEmpty()) {
                at = at.children.get(name);
            }
        }
        return at;
    }

    private Inode parentOf(String path) {
        Inode parent = find(HashedLayout.parentOf(path));
        return parent != null && parent.isDirectory ? parent : null;
    }

    private void removeInode(Inode inode) {
        inodes.remove(inode.id);
        inode.children.values().forEach(this::removeInode);
    }

    @Override
    public Optional<Inode> stat(String path) {
        return Optional.ofNullable(find(path)).map(this::copy);
    }

    /** As it is now. */
    private Inode copy(Inode inode) {
        Inode copy = new Inode(inode.id, inode.isDirectory);
        copy.name = inode.name;
        copy.count = inode.children.size();
        copy.access = inode.access;
        return copy;
    }

    @Override
    public Optional<List<Inode>> list(String path) {
        Inode directory = find(path);
        if (directory == null || !directory.isDirectory) {
            return Optional.empty();
        }
        List<Inode> all = new ArrayList<>();
        directory.children.values().forEach(one -> all.add(copy(one)));
        return Optional.of(all);
    }

    @Override
    public boolean mkdir(String path, int mode) {
        Inode parent = parentOf(path);
        if (parent == null) {
            return false;
        }
        String name = HashedLayout.nameOf(path);
        Inode there = parent.children.get(name);
        if (there == null) {
            createInode(true, mode).moveTo(parent, name);
        } else if (!there.isDirectory) {
            throw new AssertionError(path + " is a file");
        }
        return true;
    }

    @Override
    public boolean mkdirWithAccessFor(String path, Inode child) {
        return mkdir(path, 0);
    }

    /** Unlike HDFS's: what a directory is taken along by is a limit, which {@code FileRenamesTest} has. */
    @Override
    public boolean renameFile(String from, String to) {
        Inode inode = find(from);
        return inode != null && !inode.isDirectory && rename(from, to);
    }

    @Override
    public boolean replaceFile(String from, String to) {
        Inode inode = find(from);
        Inode otherInode = find(to);
        if (inode == null
                || inode.isDirectory
                || inode == otherInode
                || (otherInode != null && otherInode.isDirectory)) {
            return false;
        }
        if (otherInode != null) {
            removeRecursively(to);
        }
        return rename(from, to);
    }

    @Override
    public Inode withName(Inode entry, String name) {
        Inode named = copy(entry);
        named.name = name;
        return named;
    }

    @Override
    public boolean mkdirLike(String path, Access otherAccess) {
        boolean isMade = mkdir(path, 0);
        if (isMade) {
            find(path).access = otherAccess;
        }
        return isMade;
    }

    @Override
    public Optional<Access> access(String path) {
        return Optional.ofNullable(find(path)).map(one -> one.access);
    }

    @Override
    public void setAccess(String path, Access from, Access to) {
        Inode inode = find(path);
        if (inode != null) {
            inode.access = to;
        }
    }

    /** @return empty if there is nothing */
    Optional<Boolean> setMode(String path, int mode) {
        Inode inode = find(path);
        if (inode == null) {
            return Optional.empty();
        }
        inode.access = accessOfMode(mode);
        return Optional.of(true);
    }

    @Override
    public Optional<Map<String, String>> attributes(String path) {
        return Optional.ofNullable(find(path)).map(one -> one.attributes);
    }

    @Override
    public void setAttributes(String path, Map<String, String> attributes) {
        Inode inode = find(path);
        if (inode != null) {
            inode.attributes = Map.copyOf(attributes);
        }
    }

    /** A client that has stopped may go on at any time. */
    @Override
    public boolean isAbandoned(Inode entry) {
        return false;
    }

    /** @return empty if its directory is missing, false if the name is taken */
    Optional<Boolean> create(String path) {
        Inode parent = parentOf(path);
        if (parent == null) {
            return Optional.empty();
        }
        String name = HashedLayout.nameOf(path);
        if (parent.children.containsKey(name)) {
            return Optional.of(false);
        }
        createInode(false, FILE_PERMISSION).moveTo(parent, name);
        return Optional.of(true);
    }

    @Override
    public boolean rename(String from, String to) {
        Inode inode = find(from);
        Inode parent = parentOf(to);
        String name = HashedLayout.nameOf(to);
        if (inode == null || parent == null || parent.children.containsKey(name) || parent.isDescendantOf(inode)) {
            return false;
        }
        inode.detach();
        inode.moveTo(parent, name);
        return true;
    }

    @Override
    public Removal removeIfEmpty(String path) {
        Inode inode = find(path);
        if (inode == null) {
            return Removal.ABSENT;
        }
        if (!inode.children.isEmpty()) {
            return Removal.NOT_EMPTY;
        }
        inode.detach();
        removeInode(inode);
        return Removal.REMOVED;
    }

    @Override
    public void removeRecursively(String path) {
        Inode inode = find(path);
        if (inode != null) {
            inode.detach();
            removeInode(inode);
        }
    }
}
