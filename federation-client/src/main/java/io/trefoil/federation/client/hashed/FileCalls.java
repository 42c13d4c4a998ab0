/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hashed;

import io.trefoil.federation.client.hashed.HashedTree.FileCall;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;

/**
 * Performs calls on one file where it is, or will be: in the home of its name, or as a guest elsewhere.
 *
 * @param <E> what the groups say of a file or directory
 */
final class FileCalls<E extends Entry> {

    private final HashedLayout layout;
    private final PathResolver<E> paths;
    private final RelocatedFiles<E> relocated;

    FileCalls(HashedLayout layout, PathResolver<E> paths) {
        this.layout = layout;
        this.paths = paths;
        this.relocated = paths.relocatedFiles();
    }

    /** Implements {@link HashedTree#callOnFile}. */
    <T> Optional<T> callOnFile(String path, FileCall<T> call) throws IOException {
        return callInParent(path, call, true);
    }

    /** Implements {@link HashedTree#createFile}. */
    <T> Optional<T> createFile(String path, FileCall<T> call, Predicate<IOException> isTaken) throws IOException {
        for (int look = 0; look < PathResolver.LOOKS; look++) {
            try {
                return callInParent(path, call, false);
            } catch (IOException e) {
                if (!isTaken.test(e)) {
                    throw e;
                }
                Optional<RelocatedFiles.Signpost> guest = paths.findSignpost(path);
                if (!paths.tryClearName(path)) {
                    if (!guest.isPresent()) {
                        throw e;
                    }
                    // It replaces the guest in its room, or is refused there.
                    Optional<T> made = relocated.callOnFile(path, guest.get(), call);
                    if (made.isPresent()) {
                        return made;
                    }
                }
            }
        }
        throw PathResolver.tooManyConflicts(path);
    }

    /** Implements {@link HashedTree#callOnRelocatedFile}. */
    <T> Optional<T> callOnRelocatedFile(String path, FileCall<T> call) throws IOException {
        Optional<RelocatedFiles.Signpost> signpost = paths.findSignpost(path);
        return signpost.isPresent() ? relocated.callOnFile(path, signpost.get(), call) : Optional.empty();
    }

    private <T> Optional<T> callInParent(String path, FileCall<T> call, boolean ofFile) throws IOException {
        int group = layout.homeOf(path);
        for (int look = 0; look < PathResolver.LOOKS; look++) {
            Optional<T> result = call.callAt(group, layout.placePath(group, path));
            if (result.isPresent()) {
                return result;
            }
            OptionalLong parent = paths.findPartId(group, HashedLayout.parentOf(path));
            if (!parent.isPresent()) {
                return Optional.empty();
            }
            if (ofFile) {
                Optional<E> named = paths.findEntry(path, parent.getAsLong());
                if (!named.isPresent()) {
                    return Optional.empty();
                }
                if (named.get().isDirectory()) {
                    Optional<RelocatedFiles.Signpost> signpost = relocated.parseSignpost(group, named.get());
                    return signpost.isPresent() ? relocated.callOnFile(path, signpost.get(), call) : Optional.empty();
                }
            }
        }
        throw PathResolver.tooManyConflicts(path);
    }
}
