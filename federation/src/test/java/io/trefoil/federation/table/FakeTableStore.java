/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.table;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** A table and directories in memory. The store may be used again after it was closed. */
public final class FakeTableStore implements TableStore {

    public final List<TableRecord> records = new ArrayList<>();
    public final Map<String, DirectoryState> directories = new TreeMap<>();

    /** What NameNodes tell clients with an older table. */
    public final Map<String, String> left = new TreeMap<>();

    /** The nameservice and path of each entry's directory that is neither deleted nor renamed. */
    public final Set<String> keptDirectories = new TreeSet<>();

    /** The nameservices of which this user is no superuser. */
    public final Set<String> closedTo = new TreeSet<>();

    /** The nameservices that stand for Routers. */
    public final Set<String> ofRouters = new TreeSet<>();

    /** Why a directory cannot be sealed, or a directory not be hashed: by nameservice and path. */
    public final Map<String, String> obstacles = new TreeMap<>();

    /** The directories whose seals do not hold, as their quotas were replaced. */
    private final Set<String> opened = new TreeSet<>();

    /** The directories with a quota that no seal would replace. */
    private final Set<String> otherQuotas = new TreeSet<>();

    /** What the world does before the next version is made. */
    public Runnable beforeAppend = () -> {};

    /** What the world does before the next directory is sealed. */
    public Runnable beforeSeal = () -> {};

    /** What the world does before the next directory is opened. */
    public Runnable beforeUnseal = () -> {};

    /** What the world does before the next quota is taken away. */
    public Runnable beforeClear = () -> {};

    /** What the world does before clients are told where the next directory is. */
    public Runnable beforeLeave = () -> {};

    @Override
    public Set<String> nameservices() {
        return new TreeSet<>(Set.of("ns1", "ns2", "ns3"));
    }

    @Override
    public String tableNameservice() {
        return "ns1";
    }

    @Override
    public SubtreePath tableDirectory() {
        return SubtreePath.parse("/.trefoil/subtrees");
    }

    @Override
    public String user() {
        return "alice";
    }

    @Override
    public boolean isSuperuser(String nameservice) {
        return !closedTo.contains(nameservice);
    }

    @Override
    public boolean isRouterNameservice(String nameservice) {
        return ofRouters.contains(nameservice);
    }

    @Override
    public Optional<TableRecord> newest() {
        return records.isEmpty() ? Optional.empty() : Optional.of(records.get(records.size() - 1));
    }

    @Override
    public List<TableRecord> history() {
        return records;
    }

    @Override
    public boolean append(TableRecord record, Permit permit) throws IOException {
        permit.requirePermitted();
        return append(record);
    }

    @Override
    public boolean append(TableRecord record) {
        Runnable first = beforeAppend;
        beforeAppend = () -> {};
        first.run();
        boolean isNext = record.table().version() == records.size() + 1;
        if (isNext) {
            records.add(record);
        }
        return isNext;
    }

    @Override
    public void withdrawDrafts(String change) {}

    @Override
    public List<String> partObstacles(String from, SubtreePath path) {
        return findObstacle("part of " + from + path);
    }

    @Override
    public List<String> sealObstacles(String nameservice, SubtreePath path) {
        return findObstacle(nameservice + path);
    }

    private List<String> findObstacle(String key) {
        return obstacles.containsKey(key) ? List.of(obstacles.get(key)) : List.of();
    }

    @Override
    public void createPart(String nameservice, String from, SubtreePath path) throws TableRefusedException {
        TableRefusedException.requireNone(partObstacles(from, path));
        directories.putIfAbsent(nameservice + path.partPath(), DirectoryState.EMPTY);
    }

    @Override
    public DirectoryState inspect(String nameservice, SubtreePath path) {
        return directories.getOrDefault(nameservice + path, DirectoryState.ABSENT);
    }

    @Override
    public void replaceEmpty(String nameservice, SubtreePath empty, SubtreePath replacement) {
        directories.put(nameservice + empty, directories.remove(nameservice + replacement));
    }

    @Override
    public void seal(String nameservice, SubtreePath path, Permit permit) throws IOException {
        permit.requirePermitted();
        TableRefusedException.requireNone(sealObstacles(nameservice, path));
        Runnable first = beforeSeal;
        beforeSeal = () -> {};
        first.run();
        if (otherQuotas.contains(nameservice + path)) {
            throw new TableRefusedException("it has another quota");
        }
        if (inspect(nameservice, path) != DirectoryState.IN_USE) {
            directories.put(nameservice + path, DirectoryState.SEALED);
            opened.remove(nameservice + path);
        }
    }

    @Override
    public void unseal(String nameservice, SubtreePath path, Permit permit) throws IOException {
        permit.requirePermitted();
        Runnable first = beforeUnseal;
        beforeUnseal = () -> {};
        first.run();
        left.remove(nameservice + path);
        directories.replace(nameservice + path, DirectoryState.SEALED, DirectoryState.EMPTY);
    }

    /** As Routers do. */
    public void openSeal(String path, DirectoryState contents) {
        directories.put(path, contents);
        opened.add(path);
        otherQuotas.add(path);
    }

    @Override
    public boolean hasSeal(String nameservice, SubtreePath path) {
        return inspect(nameservice, path) == DirectoryState.SEALED || opened.contains(nameservice + path);
    }

    @Override
    public boolean clearOtherQuota(String nameservice, SubtreePath path) {
        Runnable first = beforeClear;
        beforeClear = () -> {};
        first.run();
        return otherQuotas.remove(nameservice + path);
    }

    @Override
    public boolean hasRedirect(String nameservice, SubtreePath path) {
        return left.containsKey(nameservice + path);
    }

    @Override
    public List<String> sealRemovalCommands(String nameservice, SubtreePath path) {
        List<String> removals = new ArrayList<>();
        if (hasRedirect(nameservice, path)) {
            removals.add("unmark " + nameservice + path);
        }
        if (hasSeal(nameservice, path)) {
            removals.add("unseal " + nameservice + path);
        }
        return removals;
    }

    @Override
    public boolean clearRedirect(String nameservice, SubtreePath path) {
        return left.remove(nameservice + path) != null;
    }

    @Override
    public void protectEntry(String nameservice, SubtreePath path) {
        keptDirectories.add(nameservice + path);
    }

    @Override
    public void unprotectEntry(String nameservice, SubtreePath path) {
        keptDirectories.remove(nameservice + path);
    }

    @Override
    public void setRedirect(String nameservice, SubtreePath path, String owner, int version) {
        Runnable first = beforeLeave;
        beforeLeave = () -> {};
        first.run();
        left.put(nameservice + path, owner + " " + version);
    }

    @Override
    public void close() {}
}
