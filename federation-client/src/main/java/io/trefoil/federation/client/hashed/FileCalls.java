/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hashed;

import io.trefoil.federation.client.hashed.HashedTree.FileCall;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;

/**
 * Performs calls of one file where it is, or is to be: in the home of its name, or as a guest elsewhere.
 *
 * @param <E> what the groups say of a file or directory
 */
final class FileCalls<E extends Entry> {

    private final HashedLayout layout;
    private final Paths<E> paths;
    private final RelocatedFiles<E> relocated;

    FileCalls(HashedLayout layout, Paths<E> paths) {
        this.layout = layout;
        this.paths = paths;
        this.relocated = paths.relocated();
    }

    /** Implements {@link HashedTree#atFile}. */
    <T> Optional<T> atFile(String path, FileCall<T> call) throws IOException {
        return inParent(path, call, true);
    }

    /** Implements {@link HashedTree#createFile}. */
    <T> Optional<T> createFile(String path, FileCall<T> call, Predicate<IOException> isTaken) throws IOException {
        for (int look = 0; look < Paths.LOOKS; look++) {
            try {
                return inParent(path, call, false);
            } catch (IOException e) {
                if (!isTaken.test(e)) {
                    throw e;
                }
                Optional<RelocatedFiles.Signpost> guest = paths.signpost(path);
                if (!paths.tryClearName(path)) {
                    if (!guest.isPresent()) {
                        throw e;
                    }
                    // It replaces the guest in its room, or is refused there.
                    Optional<T> made = relocated.at(path, guest.get(), call);
                    if (made.isPresent()) {
                        return made;
                    }
                }
            }
        }
        throw Paths.tooManyConflicts(path);
    }

    /** Implements {@link HashedTree#atGuest}. */
    <T> Optional<T> atGuest(String path, FileCall<T> call) throws IOException {
        Optional<RelocatedFiles.Signpost> signpost = paths.signpost(path);
        return signpost.isPresent() ? relocated.at(path, signpost.get(), call) : Optional.empty();
    }

    private <T> Optional<T> inParent(String path, FileCall<T> call, boolean ofFile) throws IOException {
        int group = layout.homeOf(path);
        for (int look = 0; look < Paths.LOOKS; look++) {
            Optional<T> result = call.at(group, layout.place(group, path));
            if (result.isPresent()) {
                return result;
            }
            OptionalLong parent = paths.contents(group, HashedLayout.parentOf(path));
            if (!parent.isPresent()) {
                return Optional.empty();
            }
            if (ofFile) {
                Optional<E> named = paths.named(path, parent.getAsLong());
                if (!named.isPresent()) {
                    return Optional.empty();
                }
                if (named.get().isDirectory()) {
                    Optional<RelocatedFiles.Signpost> signpost = relocated.signpost(group, named.get());
                    return signpost.isPresent() ? relocated.at(path, signpost.get(), call) : Optional.empty();
                }
            }
        }
        throw Paths.tooManyConflicts(path);
    }
}
