/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.mirror;

import io.trefoil.federation.table.SubtreePath;
import io.trefoil.federation.table.TableRefusedException;
import io.trefoil.foundation.NoServerReachedException;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Routers in memory, two if a test names none: a State Store, and what each Router has read of it. May be used again after close. */
public final class FakeRouters implements Routers {

    public final Map<String, MountEntry> stored = new TreeMap<>();
    /** The Routers that do not answer. */
    public final List<String> down = new ArrayList<>();
    /** The entries that no Router can read in the State Store, which does not say so. */
    public final Set<String> unreadable = new TreeSet<>();
    /** What the world does before the next change. */
    public Runnable beforeChange = () -> {};
    /** What it does before each reading of all entries. */
    public Runnable beforeReading = () -> {};
    /** What it does before each Router rereads them. */
    public Runnable beforeRefresh = () -> {};

    private final Map<String, Map<String, MountEntry>> caches = new HashMap<>();
    private List<String> addresses = List.of("r1:8111", "r2:8111");

    public FakeRouters withRouters(List<String> expectedRows) {
        addresses = expectedRows.isEmpty() ? addresses : expectedRows;
        return this;
    }

    /** An entry that is not the table's. */
    public void putForeignEntry(String path, String... targets) {
        stored.put(path, MountEntry.of(path, List.of(targets), Optional.empty()));
    }

    @Override
    public List<String> addresses() {
        return addresses;
    }

    @Override
    public List<MountEntry> entries() throws IOException {
        beforeReading.run();
        if (down.containsAll(addresses)) {
            throw new NoServerReachedException("No Router gives its mount table");
        }
        return List.copyOf(readableEntries().values());
    }

    private Map<String, MountEntry> readableEntries() {
        Map<String, MountEntry> readable = new TreeMap<>(stored);
        readable.keySet().removeAll(unreadable);
        return readable;
    }

    @Override
    public void applyChange(MountChange change, MirrorMark mark) throws IOException {
        Runnable first = beforeChange;
        beforeChange = () -> {};
        first.run();
        boolean isThere = stored.containsKey(change.path());
        if (isThere == (change.kind() == MountChange.Kind.ADD)) {
            throw new TableRefusedException("somebody else has changed " + change.path());
        }
        if (change.kind() == MountChange.Kind.REMOVE) {
            stored.remove(change.path());
        } else {
            List<String> targets = List.of(MountEntry.target(change.nameservice(), change.path()));
            stored.put(change.path(), MountEntry.of(change.path(), targets, Optional.of(mark)));
        }
    }

    @Override
    public void refresh(String router) throws IOException {
        beforeRefresh.run();
        if (down.contains(router)) {
            throw new IOException("connection refused");
        }
        caches.put(router, readableEntries());
    }

    @Override
    public List<MountEntry> entries(String router) {
        return List.copyOf(caches.get(router).values());
    }

    @Override
    public String resolveNameservice(String router, SubtreePath path) {
        return owner(caches.get(router), path.text());
    }

    /** Where a Router with these entries goes; empty if nowhere. */
    static String owner(Map<String, MountEntry> entries, String path) {
        String found = "";
        String longest = "";
        for (MountEntry entry : entries.values()) {
            boolean contains =
                    entry.path().equals("/") || path.equals(entry.path()) || path.startsWith(entry.path() + "/");
            if (contains && entry.path().length() > longest.length()) {
                longest = entry.path();
                found = URI.create(entry.targets().get(0)).getAuthority();
            }
        }
        return found;
    }

    @Override
    public void close() {}
}
