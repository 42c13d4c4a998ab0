/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hashed;

import com.google.auto.value.AutoValue;
import io.trefoil.federation.client.hashed.HashedTree.FileCall;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Changes the attributes of directories. A directory has the attributes of its <em>name</em>: one call of its home changes them, or
 * does not. Its parts, which decide who gets at the files, are made like the name.
 *
 * <p>HDFS has no call that sets something only if no other client has set it meanwhile. So a client that makes parts like the name
 * puts a <em>mark</em> in each of them first, and takes it away when it has seen all of them like the name, and the name in its place.
 * A mark does not say which attributes are wanted, only that a client may have stopped between: one that lists the directory finds it,
 * and does the same. Another client takes it away only when it is so old that its maker has ended. What has the place of a part, but
 * not the mark that the contents have, may have been put there by intent: a client that only lists changes nothing of it.
 *
 * @param <E> what the groups say of a file or directory
 */
final class AttributeChanger<E extends Entry> {

    private static final int OWN = 0700;

    /** A directory at one moment. Immutable. */
    @AutoValue
    abstract static class ResolvedDirectory {
        static ResolvedDirectory of(String path, int group, List<Long> ancestors, List<Long> parts) {
            return new AutoValue_AttributeChanger_ResolvedDirectory(
                    path,
                    group,
                    Collections.unmodifiableList(new ArrayList<>(ancestors)),
                    Collections.unmodifiableList(new ArrayList<>(parts)));
        }

        abstract String path();

        /** The group that has the directory's name; for the hashed directory itself, which has no name, the first group. */
        abstract int group();

        /** Implements {@link PathResolver#ancestorIds}. */
        abstract List<Long> ancestorIds();

        /** The inode ids of the directory's parts, by group. */
        abstract List<Long> partIds();

        final long nameId() {
            return ancestorIds().isEmpty() ? partIds().get(0) : ancestorIds().get(0);
        }

        final String entryPath(int group, String name) {
            return HashedLayout.inodeEntryPath(partIds().get(group), name);
        }
    }

    /** A directory with the parts that have the mark of this client. Immutable. */
    @AutoValue
    abstract static class MarkedDirectory {
        static MarkedDirectory of(ResolvedDirectory directory, String mark, List<Integer> members) {
            return new AutoValue_AttributeChanger_MarkedDirectory(
                    directory, mark, Collections.unmodifiableList(new ArrayList<>(members)));
        }

        abstract ResolvedDirectory directory();

        abstract String mark();

        /** The groups whose parts have the mark. */
        abstract List<Integer> markedGroups();
    }

    private final HashedLayout layout;
    private final List<? extends Group<E>> groups;
    private final PathResolver<E> paths;
    private final Supplier<String> operations;

    AttributeChanger(
            HashedLayout layout, List<? extends Group<E>> groups, PathResolver<E> paths, Supplier<String> operations) {
        this.layout = layout;
        this.groups = groups;
        this.paths = paths;
        this.operations = operations;
    }

    /** The group that has a directory's name. For the hashed directory itself this is the first group, which has its attributes. */
    private int groupOf(String path) {
        return HashedLayout.isRoot(path) ? 0 : layout.homeOf(path);
    }

    /** Implements {@link HashedTree#callOnDirectory}. */
    <T> Optional<T> callOnDirectory(String path, FileCall<T> call) throws IOException {
        for (int look = 0; look < PathResolver.LOOKS; look++) {
            Optional<E> existing = findDirectory(path);
            if (!existing.isPresent()) {
                return Optional.empty();
            }
            Optional<T> result = call.callAt(
                    groupOf(path), HashedLayout.inodePath(existing.get().id()));
            if (result.isPresent()) {
                return result;
            }
        }
        throw PathResolver.tooManyConflicts(path);
    }

    /** Implements {@link HashedTree#changeDirectory}. */
    <T> Optional<T> changeDirectory(String path, FileCall<T> call) throws IOException {
        for (int look = 0; look < PathResolver.LOOKS; look++) {
            Optional<ResolvedDirectory> site = resolveDirectory(path);
            if (!site.isPresent()) {
                return Optional.empty();
            }
            if (HashedLayout.isRoot(path)) {
                // If it was given up, its parts are sealed, and refuse a mark: the caller looks for a newer table then.
                mark(site.get(), Collections.singletonList(0)).ifPresent(this::unmark);
            }
            Optional<T> result = call.callAt(
                    site.get().group(), HashedLayout.inodePath(site.get().nameId()));
            if (result.isPresent()) {
                requireUnmoved(site.get());
                return result;
            }
        }
        throw PathResolver.tooManyConflicts(path);
    }

    private Optional<E> findDirectory(String path) throws IOException {
        return paths.lookup(path).filter(Entry::isDirectory);
    }

    /** Implements {@link HashedTree#changeAccess}. */
    <T> Optional<T> changeAccess(String path, FileCall<T> call) throws IOException {
        for (int look = 0; look < PathResolver.LOOKS; look++) {
            Optional<ResolvedDirectory> site = resolveDirectory(path);
            if (!site.isPresent()) {
                return Optional.empty();
            }
            Optional<MarkedDirectory> marked = mark(site.get(), allGroups());
            if (marked.isPresent()) {
                Optional<T> result = changeAccess(marked.get(), call);
                if (result.isPresent()) {
                    return result;
                }
            }
        }
        throw PathResolver.tooManyConflicts(path);
    }

    private <T> Optional<T> changeAccess(MarkedDirectory markedDirectory, FileCall<T> call) throws IOException {
        ResolvedDirectory directory = markedDirectory.directory();
        Optional<T> result;
        try {
            result = call.callAt(directory.group(), HashedLayout.inodePath(directory.nameId()));
        } catch (IOException refused) {
            // It may have been executed in spite of it.
            try {
                applyToParts(markedDirectory);
            } catch (IOException e) {
                refused.addSuppressed(e);
            }
            throw refused;
        }
        if (!result.isPresent()) {
            unmark(markedDirectory);
            return result;
        }
        try {
            applyToParts(markedDirectory);
        } catch (UnknownChangeException unknown) {
            throw unknown;
        } catch (IOException refused) {
            throw new IOException(
                    "The change of the directory " + directory.path()
                            + " is made, but not for the files of all nameservices. Its owner, or a superuser,"
                            + " completes it by listing the directory when this is over: " + refused.getMessage(),
                    refused);
        }
        return result;
    }

    private List<Integer> allGroups() {
        List<Integer> all = new ArrayList<>();
        for (int group = 0; group < groups.size(); group++) {
            all.add(group);
        }
        return all;
    }

    /** Makes a mark in the parts of these groups; empty if one of the parts is gone. */
    private Optional<MarkedDirectory> mark(ResolvedDirectory directory, List<Integer> members) throws IOException {
        MarkedDirectory markedDirectory =
                MarkedDirectory.of(directory, HashedLayout.accessChangeName(operations.get()), members);
        try {
            for (int group : members) {
                if (!groups.get(group).mkdir(directory.entryPath(group, markedDirectory.mark()), OWN)) {
                    unmark(markedDirectory);
                    return Optional.empty();
                }
            }
        } catch (IOException refused) {
            unmark(markedDirectory);
            throw refused;
        }
        return Optional.of(markedDirectory);
    }

    private void unmark(MarkedDirectory markedDirectory) {
        for (int group : markedDirectory.markedGroups()) {
            BestEffortSteps.run(() -> groups.get(group)
                    .removeIfEmpty(markedDirectory.directory().entryPath(group, markedDirectory.mark())));
        }
    }

    /**
     * Completes the changes that the clients which made these marks may have left half done.
     *
     * @param marks that the parts have, by group
     * @throws IOException also if the caller may not
     */
    void complete(String path, List<List<E>> marks) throws IOException {
        Optional<ResolvedDirectory> directory = resolveDirectory(path);
        if (!directory.isPresent()) {
            return;
        }
        ResolvedDirectory siteDirectory = directory.get();
        List<Integer> members = fullyMarkedGroups(marks, siteDirectory.group());
        if (!haveUniformAccess(siteDirectory, members)) {
            Optional<MarkedDirectory> marked = mark(siteDirectory, members);
            if (!marked.isPresent()) {
                return;
            }
            complete(marked.get());
        }
        for (int group = 0; group < groups.size(); group++) {
            for (E mark : marks.get(group)) {
                if (groups.get(group).isAbandoned(mark)) {
                    groups.get(group).removeIfEmpty(siteDirectory.entryPath(group, mark.name()));
                }
            }
        }
    }

    private void complete(MarkedDirectory markedDirectory) throws IOException {
        try {
            applyToParts(markedDirectory);
        } catch (UnknownChangeException unknown) {
            throw unknown;
        } catch (IOException refused) {
            // The marks of the client that began are still there; those of all clients that list the directory would be
            // many.
            unmark(markedDirectory);
            throw refused;
        }
    }

    /** The groups whose part has a mark that the contents also have. */
    private List<Integer> fullyMarkedGroups(List<List<E>> marks, int home) {
        List<String> names = marks.get(home).stream().map(Entry::name).collect(Collectors.toList());
        return allGroups().stream()
                .filter(group -> marks.get(group).stream().anyMatch(mark -> names.contains(mark.name())))
                .collect(Collectors.toList());
    }

    /** Makes the marked parts agree with the name, and removes the marks, which stay if anything goes wrong. */
    private void applyToParts(MarkedDirectory markedDirectory) throws IOException {
        ResolvedDirectory directory = markedDirectory.directory();
        for (int look = 0; look < PathResolver.LOOKS; look++) {
            Optional<Access> wanted = accessOfName(directory);
            if (!wanted.isPresent()) {
                throw new UnknownChangeException(directory.path());
            }
            // A client that changed the name meanwhile makes the parts like it; but what this client has just set may
            // be older.
            if (applyToParts(markedDirectory, wanted.get())
                    && accessOfName(directory).equals(wanted)) {
                requireUnmoved(directory);
                unmark(markedDirectory);
                return;
            }
        }
        throw PathResolver.tooManyConflicts(directory.path());
    }

    private Optional<Access> accessOfName(ResolvedDirectory directory) throws IOException {
        return groups.get(directory.group()).access(HashedLayout.inodePath(directory.nameId()));
    }

    private Optional<Access> accessOfPart(int group, ResolvedDirectory directory) throws IOException {
        return groups.get(group)
                .access(HashedLayout.inodePath(directory.partIds().get(group)));
    }

    /** @return whether nothing had to be done */
    private boolean applyToParts(MarkedDirectory markedDirectory, Access newAccess) throws IOException {
        ResolvedDirectory directory = markedDirectory.directory();
        boolean wasAlike = true;
        for (int group : markedDirectory.markedGroups()) {
            Optional<Access> access = accessOfPart(group, directory);
            if (access.isPresent() && !access.get().equals(newAccess)) {
                wasAlike = false;
                if (!groups.get(group)
                        .stat(directory.entryPath(group, markedDirectory.mark()))
                        .isPresent()) {
                    // No other client would notice the change if this one ended just after it.
                    throw new UnknownChangeException(directory.path());
                }
                groups.get(group)
                        .setAccess(HashedLayout.inodePath(directory.partIds().get(group)), access.get(), newAccess);
            }
        }
        return wasAlike;
    }

    private boolean haveUniformAccess(ResolvedDirectory directory, List<Integer> members) throws IOException {
        Optional<Access> wanted = accessOfName(directory);
        for (int group : members) {
            if (!accessOfPart(group, directory).equals(wanted)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Whether a name that was changed by its id still had its path at that time, and no operation begun before takes the name away: a
     * rename may have copied the name in its former state. One that is written down later compares them.
     *
     * @throws UnknownChangeException if it had not
     */
    private void requireUnmoved(ResolvedDirectory directory) throws IOException {
        String path = directory.path();
        for (int look = 0; look < PathResolver.LOOKS; look++) {
            Optional<E> existing = groups.get(directory.group()).stat(HashedLayout.inodePath(directory.nameId()));
            // With its contents alone nothing is in progress, and no client needs to look into it.
            boolean isSettled = existing.isPresent()
                    && (HashedLayout.isRoot(path)
                            || existing.get().childCount() == 1
                            || !paths.pendingOperations().settleIfPending(path, directory.nameId()));
            if (!existing.isPresent() || !paths.ancestorIds(path).equals(directory.ancestorIds())) {
                throw new UnknownChangeException(path);
            }
            if (isSettled) {
                return;
            }
        }
        throw PathResolver.tooManyConflicts(path);
    }

    /** The places of a directory; empty if the directory does not exist. */
    private Optional<ResolvedDirectory> resolveDirectory(String path) throws IOException {
        for (int look = 0; look < PathResolver.LOOKS; look++) {
            List<Long> ancestors = paths.ancestorIds(path);
            if (!findDirectory(path).isPresent()) {
                return Optional.empty();
            }
            Optional<List<Long>> parts = paths.partIds(path);
            if (parts.isPresent() && paths.ancestorIds(path).equals(ancestors)) {
                return Optional.of(ResolvedDirectory.of(path, groupOf(path), ancestors, parts.get()));
            }
        }
        throw PathResolver.tooManyConflicts(path);
    }
}
