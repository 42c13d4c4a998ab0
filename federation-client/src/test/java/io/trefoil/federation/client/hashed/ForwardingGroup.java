/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hashed;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A nameservice as a client with a bug, or one that is disturbed, has it. */
class ForwardingGroup implements Group<FakeNamespace.Inode> {
    private final Group<FakeNamespace.Inode> right;

    ForwardingGroup(Group<FakeNamespace.Inode> right) {
        this.right = right;
    }

    @Override
    public Optional<FakeNamespace.Inode> stat(String path) throws IOException {
        return right.stat(path);
    }

    @Override
    public Optional<List<FakeNamespace.Inode>> list(String path) throws IOException {
        return right.list(path);
    }

    @Override
    public boolean mkdir(String path, int mode) throws IOException {
        return right.mkdir(path, mode);
    }

    @Override
    public boolean mkdirLike(String path, Access otherAccess) throws IOException {
        return right.mkdirLike(path, otherAccess);
    }

    @Override
    public Optional<Access> access(String path) throws IOException {
        return right.access(path);
    }

    @Override
    public void setAccess(String path, Access from, Access to) throws IOException {
        right.setAccess(path, from, to);
    }

    @Override
    public Optional<Map<String, String>> attributes(String path) throws IOException {
        return right.attributes(path);
    }

    @Override
    public void setAttributes(String path, Map<String, String> attributes) throws IOException {
        right.setAttributes(path, attributes);
    }

    @Override
    public boolean isAbandoned(FakeNamespace.Inode entry) {
        return right.isAbandoned(entry);
    }

    @Override
    public void mkdirs(String path, int mode) throws IOException {
        right.mkdirs(path, mode);
    }

    @Override
    public boolean rename(String from, String to) throws IOException {
        return right.rename(from, to);
    }

    @Override
    public boolean mkdirWithAccessFor(String path, FakeNamespace.Inode child) throws IOException {
        return right.mkdirWithAccessFor(path, child);
    }

    @Override
    public boolean renameFile(String from, String to) throws IOException {
        return right.renameFile(from, to);
    }

    @Override
    public boolean replaceFile(String from, String to) throws IOException {
        return right.replaceFile(from, to);
    }

    @Override
    public FakeNamespace.Inode withName(FakeNamespace.Inode entry, String name) {
        return right.withName(entry, name);
    }

    @Override
    public Removal removeIfEmpty(String path) throws IOException {
        return right.removeIfEmpty(path);
    }

    @Override
    public void removeRecursively(String path) throws IOException {
        right.removeRecursively(path);
    }
}
