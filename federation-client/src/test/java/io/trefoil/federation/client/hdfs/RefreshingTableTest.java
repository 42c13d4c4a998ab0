/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.federation.client.hdfs.version.SubtreeView;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.NSQuotaExceededException;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a call gets while versions of the table are made, and which versions it follows. */
class RefreshingTableTest {
    private static final String NAME = "fed";
    private static final Duration LONG = Duration.ofHours(1);
    private static final String OLD_OWNER = "localhost:1";
    private static final String NEW_OWNER = "localhost:2";
    private static final Path FILE = new Path("/a/x");

    /** What the nameservices answer to a client that looks at a path; a test replaces it. */
    private static final AtomicReference<LookupFunction> LOOKED = new AtomicReference<>();

    interface LookupFunction {
        FileStatus lookUp(Path path) throws IOException;
    }

    /** HDFS's client without a nameservice. Hadoop makes it, by the name of its class. */
    public static final class Nameservice extends DistributedFileSystem {
        @Override
        public FileStatus getFileStatus(Path path) throws IOException {
            return LOOKED.get().lookUp(Path.getPathWithoutSchemeAndAuthority(path));
        }
    }

    /** The nameservice of the table: a test makes versions in it, or goes back. */
    private static final class TableKeeper implements RefreshingTable.Source {
        private volatile int version;
        private volatile String owner;
        private volatile String user;
        /** Of the versions before the one with which a client begins, the last one first. */
        private volatile List<String> ownersBefore = Collections.singletonList(OLD_OWNER);

        private final AtomicLong changedAt = new AtomicLong();
        /** Runs when a look begins. */
        private volatile Runnable looked = () -> {};

        /** @param to the nameservice of /a and /b/c */
        void appendVersion(int newVersion, String to, String author) {
            owner = to;
            user = author;
            version = newVersion;
            changedAt.incrementAndGet();
        }

        @Override
        public long lastChangeTime() {
            looked.run();
            return changedAt.get();
        }

        @Override
        public boolean versionExists(int one) {
            return one <= version;
        }

        @Override
        public SubtreeView readNewest() throws IOException {
            Configuration conf = new Configuration();
            conf.set("fs.viewfs.overload.scheme.target.hdfs.impl", Nameservice.class.getName());
            write(conf, version, owner, user);
            return SubtreeView.open(URI.create("hdfs://" + NAME), conf);
        }

        private static void write(Configuration conf, int version, String owner, String user) {
            conf.set("io.trefoil.subtrees.name", NAME);
            conf.set("io.trefoil.subtrees.version", String.valueOf(version));
            conf.set("io.trefoil.subtrees.by", user);
            conf.set("fs.viewfs.mounttable." + NAME + ".linkFallback", "hdfs://" + OLD_OWNER + "/");
            for (String directory : new String[] {"/a", "/b/c"}) {
                conf.set("fs.viewfs.mounttable." + NAME + ".link." + directory, "hdfs://" + owner + directory);
            }
        }

        @Override
        public List<Map<String, String>> earlierContents(SubtreeView first, long changed) {
            List<Map<String, String>> contents = new ArrayList<>();
            for (String owner : ownersBefore) {
                Configuration before = new Configuration(false);
                write(before, first.version() - 1 - contents.size(), owner, "zoe");
                contents.add(SubtreeView.parseContent(before));
            }
            return contents;
        }
    }

    private final TableKeeper keeper = new TableKeeper();
    private final AtomicLong clock = new AtomicLong();
    private final List<Integer> attempts = new ArrayList<>();
    private RefreshingTable table;

    @BeforeEach
    void assertVersionFollowed() throws IOException {
        LOOKED.set(path -> {
            throw new FileNotFoundException(path.toString());
        });
        keeper.appendVersion(5, OLD_OWNER, "alice");
        table = RefreshingTable.follow(NAME, keeper, LONG, LONG, clock::get);
    }

    @AfterEach
    void close() throws IOException {
        table.close();
    }

    /** A call that is held until version 7 has given its directory away; meanwhile the client reads version 6, for another call. */
    private int heldCall(SubtreeView view) {
        int version = view.version();
        attempts.add(version);
        if (version == 5) {
            keeper.appendVersion(6, OLD_OWNER, "bob");
            assertThat(table.refreshedView().version()).isEqualTo(6);
            keeper.appendVersion(7, NEW_OWNER, "carol");
        }
        return version;
    }

    private static RemoteException movedException(int version) {
        return new RemoteException(
                SubtreeMovedException.class.getName(),
                SubtreeMovedException.class.getName() + ": "
                        + SubtreeMovedException.of("/a", "ns2", version).getMessage() + "\n\tat a.b.C");
    }

    @Test
    void heldCallFollowsVersionNamedByRefusal() throws Exception {
        int answer = table.call(FILE, view -> {
            int version = heldCall(view);
            if (version < 7) {
                throw movedException(7);
            }
            return version;
        });

        assertThat(answer).isEqualTo(7);
        assertThat(attempts).containsExactly(5, 7);
    }

    /** So that a NameNode tells superusers as well what it has given away. */
    @Test
    void callsAddFollowerContextToUserContext() throws Exception {
        CallerContext users = new CallerContext.Builder("job_1").build();
        CallerContext before = CallerContext.getCurrent();
        try {
            CallerContext.setCurrent(users);
            String said = table.call(FILE, view -> CallerContext.getCurrent().getContext());
            assertThat(said).isEqualTo("job_1,trefoilFollowsTable");
            assertThat(CallerContext.getCurrent()).isSameAs(users);

            CallerContext.setCurrent(null);
            assertThatThrownBy(() -> table.call(FILE, view -> {
                        throw new IOException(CallerContext.getCurrent().getContext());
                    }))
                    .hasMessage("trefoilFollowsTable");
            assertThat(CallerContext.getCurrent()).isNull();
        } finally {
            CallerContext.setCurrent(before);
        }
    }

    @Test
    void adminCallUsesNewestVersion() throws Exception {
        keeper.appendVersion(6, NEW_OWNER, "bob");

        int version = table.callFresh(FILE, (client, there) -> versionOf(client));
        assertThat(version).isEqualTo(6);
    }

    /** The subtree may be given away just after the look. */
    @Test
    void refusedAdminCallFollowsVersionNamedByRefusal() throws Exception {
        table.runFresh(FILE, (client, there) -> {
            attempts.add(versionOf(client));
            if (attempts.size() == 1) {
                assertThat(CallerContext.getCurrent().getContext()).isEqualTo("trefoilFollowsTable");
                keeper.appendVersion(6, NEW_OWNER, "bob");
                throw movedException(6);
            }
        });

        assertThat(attempts).containsExactly(5, 6);
    }

    private static int versionOf(DistributedFileSystem client) {
        return ((SubtreeView) client).version();
    }

    @Test
    void missingFileIsLookedUpByNewestVersion() throws Exception {
        int answer = table.call(FILE, view -> {
            int version = heldCall(view);
            if (version < 7) {
                throw new FileNotFoundException("/a/x");
            }
            return version;
        });

        assertThat(answer).isEqualTo(7);
        assertThat(attempts).containsExactly(5, 6, 7);
    }

    @Test
    void emptyResultIsRetriedByNewestVersion() throws Exception {
        assertThat(table.call(FILE, this::heldCall, version -> version < 7)).isEqualTo(7);
        assertThat(attempts).containsExactly(5, 6, 7);
    }

    @Test
    void reportsNotFoundWhenNewestVersionLacksFile() {
        assertThatThrownBy(() -> table.call(FILE, view -> {
                    heldCall(view);
                    throw new FileNotFoundException("/a/x");
                }))
                .isInstanceOf(FileNotFoundException.class);
        assertThat(attempts).containsExactly(5, 6, 7);
    }

    /** By way of an observer, a look finds version 6 for a while. The call was held for longer than one waits for a look. */
    @Test
    void retriesUntilNamedVersionIsReadable() throws Exception {
        AtomicLong looks = new AtomicLong();
        keeper.looked = () -> {
            if (looks.incrementAndGet() == 3) {
                keeper.appendVersion(7, NEW_OWNER, "carol");
            }
        };

        int answer = table.call(FILE, view -> {
            int version = view.version();
            attempts.add(version);
            if (version == 5) {
                keeper.appendVersion(6, OLD_OWNER, "bob");
                clock.addAndGet(2 * LONG.toNanos());
            }
            if (version < 7) {
                throw movedException(7);
            }
            return version;
        });

        assertThat(answer).isEqualTo(7);
        assertThat(attempts).containsExactly(5, 7);
        assertThat(looks).hasValue(3);
    }

    @Test
    void reportsRefusalWhenNamedVersionStaysMissing() {
        keeper.looked = () -> clock.addAndGet(LONG.toNanos());
        assertThatThrownBy(() -> table.call(FILE, view -> {
                    attempts.add(view.version());
                    throw movedException(7);
                }))
                .isInstanceOf(SubtreeMovedException.class)
                .hasMessageContaining("belongs to nameservice ns2 since version 7");
        assertThat(attempts).containsExactly(5);
    }

    /** The subtree came back with version 7, and the mark of version 5 is about to go; or an observer does not know yet that it went. */
    @Test
    void toleratesRefusalByOlderVersion() throws Exception {
        keeper.appendVersion(7, NEW_OWNER, "carol");
        table.refreshedView();

        int answer = table.call(FILE, view -> {
            attempts.add(view.version());
            if (attempts.size() == 1) {
                throw movedException(5);
            }
            return view.version();
        });

        assertThat(answer).isEqualTo(7);
        assertThat(attempts).containsExactly(7, 7);
    }

    @Test
    void followsVersionCreatedDuringWait() throws Exception {
        keeper.appendVersion(7, OLD_OWNER, "carol");
        table.refreshedView();

        int answer = table.call(FILE, view -> {
            attempts.add(view.version());
            if (view.version() == 7) {
                keeper.appendVersion(8, NEW_OWNER, "bob");
                throw movedException(5);
            }
            return view.version();
        });

        assertThat(answer).isEqualTo(8);
        assertThat(attempts).containsExactly(7, 8);
    }

    @Test
    void reportsLastingRefusalAfterTimeout() {
        keeper.appendVersion(7, NEW_OWNER, "carol");
        table.refreshedView();
        keeper.looked = () -> clock.addAndGet(LONG.toNanos() * 3 / 5);

        assertThatThrownBy(() -> table.call(FILE, view -> {
                    attempts.add(view.version());
                    throw movedException(5);
                }))
                .isInstanceOf(SubtreeMovedException.class);
        assertThat(attempts).containsExactly(7, 7);
    }

    /** A restore has made versions 6 to 8 void, and the directory of the table's keeper alone went back: the mark of version 7 is there still. */
    @Test
    void followsRevertedTableDespiteVoidVersionInRefusal() throws Exception {
        for (int named : new int[] {7, 9}) {
            keeper.appendVersion(8, NEW_OWNER, "carol");
            table.refreshedView();
            keeper.looked = () -> clock.addAndGet(LONG.toNanos() / 5);
            attempts.clear();

            int answer = table.call(FILE, view -> {
                attempts.add(view.version());
                if (view.version() == 8) {
                    keeper.appendVersion(5, OLD_OWNER, "alice");
                    throw movedException(named);
                }
                return view.version();
            });

            assertThat(answer).isEqualTo(5);
            assertThat(attempts).containsExactly(8, 5);
        }
    }

    /** Version 9 is void. Version 7 gave the directory to another nameservice, too. */
    @Test
    void triesNewerVersionWhenNamedVersionNeverAppears() throws Exception {
        keeper.looked = () -> clock.addAndGet(LONG.toNanos() * 3 / 5);

        int answer = table.call(FILE, view -> {
            attempts.add(view.version());
            if (view.version() == 5) {
                keeper.appendVersion(7, NEW_OWNER, "carol");
                throw movedException(9);
            }
            return view.version();
        });

        assertThat(answer).isEqualTo(7);
        assertThat(attempts).containsExactly(5, 7);
    }

    @Test
    void versionTriedAtTimeoutDoesNotWaitAgain() {
        keeper.looked = () -> clock.addAndGet(LONG.toNanos() * 3 / 5);
        long began = clock.get();

        assertThatThrownBy(() -> table.call(FILE, view -> {
                    attempts.add(view.version());
                    keeper.appendVersion(7, OLD_OWNER, "carol");
                    throw movedException(9);
                }))
                .isInstanceOf(SubtreeMovedException.class);

        assertThat(attempts).containsExactly(5, 7);
        assertThat(clock.get() - began).isLessThan(2 * LONG.toNanos());
    }

    /** The look for the seal comes when its directory has been given away, so it is answered as any other call. */
    @Test
    void sealLookupFollowsVersionNamedByRefusal() throws Exception {
        LOOKED.set(path -> {
            keeper.appendVersion(7, NEW_OWNER, "carol");
            throw movedException(7);
        });

        assertThat(createdCall()).isEqualTo(7);
        assertThat(attempts).containsExactly(5, 7);
    }

    @Test
    void directoryClosedConcurrentlyCountsAsSealed() throws Exception {
        LOOKED.set(path -> {
            keeper.appendVersion(7, NEW_OWNER, "carol");
            throw new AccessControlException(path.toString());
        });

        assertThat(createdCall()).isEqualTo(7);
        assertThat(attempts).containsExactly(5, 7);
    }

    /** It was held in a frozen subtree for longer than one waits for a version. */
    @Test
    void heldCreationWaitsForVersionAfterRefusal() throws Exception {
        AtomicLong looks = new AtomicLong();
        LOOKED.set(path -> {
            if (looks.incrementAndGet() == 2) {
                keeper.appendVersion(7, NEW_OWNER, "carol");
            }
            return directoryStatus(0755);
        });

        int answer = table.create(FILE, view -> {
            attempts.add(view.version());
            if (view.version() < 7) {
                clock.addAndGet(2 * LONG.toNanos());
                throw new NSQuotaExceededException(1, 2);
            }
            return view.version();
        });

        assertThat(answer).isEqualTo(7);
        assertThat(attempts).containsExactly(5, 7);
    }

    private int createdCall() throws IOException {
        return table.create(FILE, view -> {
            attempts.add(view.version());
            if (view.version() < 7) {
                throw new NSQuotaExceededException(1, 2);
            }
            return view.version();
        });
    }

    /** A move makes its version before it opens the directory at the new owner. */
    @Test
    void waitsForClosedDirectoryAtNewOwner() throws Exception {
        handOverLeavingClosed("/a");

        assertThat(table.call(FILE, this::denyOnce)).isEqualTo(7);
        assertThat(attempts).containsExactly(7, 7);
    }

    @Test
    void waitsForSummaryOfClosedDirectory() throws Exception {
        handOverLeavingClosed("/b/c");

        assertThat(table.call(new Path("/b"), this::denyOnce)).isEqualTo(7);
        assertThat(attempts).containsExactly(7, 7);
    }

    @Test
    void waitsForRenameOutOfClosedDirectory() throws Exception {
        handOverLeavingClosed("/b/c");

        assertThat(table.create(Arrays.asList(FILE, new Path("/b/c/x")), this::denyOnce, version -> false))
                .isEqualTo(7);
        assertThat(attempts).containsExactly(7, 7);
    }

    private void assertNewClientWaits() throws Exception {
        table.close();
        table = RefreshingTable.follow(NAME, keeper, LONG, LONG, clock::get);
        int answer = table.call(FILE, view -> denyUntilAttempt(view, 3));
        assertThat(answer).isEqualTo(5);
        assertThat(attempts).containsExactly(5, 5, 5);
    }

    /** As a task does that is started just then. */
    @Test
    void newClientWaitsForDirectoryOfItsTableVersion() throws Exception {
        LOOKED.set(path -> directoryStatus(path.toString().equals("/a") ? 0 : 0755));
        keeper.appendVersion(5, NEW_OWNER, "alice");

        assertNewClientWaits();
    }

    /** The last version of the three does not concern the directory. */
    @Test
    void newClientWaitsForDirectoryOfEarlierTableVersion() throws Exception {
        LOOKED.set(path -> directoryStatus(path.toString().equals("/a") ? 0 : 0755));
        keeper.appendVersion(5, NEW_OWNER, "alice");
        keeper.ownersBefore = Arrays.asList(NEW_OWNER, OLD_OWNER);

        assertNewClientWaits();
    }

    /** The time of each directory counts, not that of the last version. */
    @Test
    void waitForHandedOverDirectoryIsBoundedAcrossVersions() {
        LOOKED.set(path -> directoryStatus(0));
        keeper.appendVersion(7, NEW_OWNER, "carol");
        table.refreshedView();
        clock.addAndGet(LONG.toNanos() * 3 / 5);
        keeper.appendVersion(8, NEW_OWNER, "dave");
        table.refreshedView();
        clock.addAndGet(LONG.toNanos() * 3 / 5);
        assertDenied(FILE);
        keeper.appendVersion(9, NEW_OWNER, "erin");
        table.refreshedView();
        assertDenied(FILE);
        assertThat(attempts).containsExactly(8, 9);
    }

    /** As one that gives away something else in the same moment. */
    @Test
    void unrelatedLaterTableVersionDoesNotEndWait() throws Exception {
        handOverLeavingClosed("/a");
        keeper.appendVersion(8, NEW_OWNER, "dave");
        table.refreshedView();

        int answer = table.call(FILE, view -> denyUntilAttempt(view, 3));
        assertThat(answer).isEqualTo(8);
        assertThat(attempts).containsExactly(8, 8, 8);
    }

    /** NameNodes tell it whatever its permission is, and that is not the one that users will find. */
    @Test
    void waitsForStatusOfClosedDirectory() throws Exception {
        keeper.appendVersion(7, NEW_OWNER, "carol");
        table.refreshedView();
        AtomicLong looks = new AtomicLong();
        LOOKED.set(path -> {
            if (path.toString().contains(".snapshot")) {
                throw new AccessControlException(path.toString());
            }
            long look = looks.incrementAndGet();
            return look < 4 ? directoryStatus(0) : look < 8 ? sealedStatus(0700) : directoryStatus(0755);
        });

        assertThat(status("/a").getPermission().toShort()).isEqualTo((short) 0755);
        assertThat(looks).hasValueGreaterThanOrEqualTo(8);
    }

    @Test
    void reportsStatusOfPermanentlyClosedDirectoryAfterTimeout() throws Exception {
        keeper.appendVersion(7, NEW_OWNER, "carol");
        table.refreshedView();
        LOOKED.set(path -> {
            clock.addAndGet(LONG.toNanos() / 5);
            return directoryStatus(0);
        });

        assertThat(status("/a").getPermission().toShort()).isZero();
        assertThat(clock.get()).isLessThan(2 * LONG.toNanos());
    }

    /** A user's own snapshots, and directories of which no version says anything, cost no wait. */
    @Test
    void statusOfOpenDirectoryDoesNotWait() throws Exception {
        AtomicLong looks = new AtomicLong();
        LOOKED.set(path -> {
            looks.incrementAndGet();
            if (path.toString().contains(".snapshot")) {
                throw new FileNotFoundException(path.toString());
            }
            return sealedStatus(0755);
        });
        status("/a");
        assertThat(looks).hasValue(1);
        keeper.appendVersion(7, NEW_OWNER, "carol");
        table.refreshedView();
        looks.set(0);
        status("/a/x");
        assertThat(looks).hasValue(1);
        looks.set(0);
        assertThat(status("/a").getPermission().toShort()).isEqualTo((short) 0755);
        assertThat(looks).hasValue(6);
        clock.addAndGet(2 * LONG.toNanos());
        looks.set(0);
        status("/a");
        assertThat(looks).hasValue(1);
    }

    private FileStatus status(String path) throws IOException {
        return table.callWhenOpen(new Path(path), view -> view.getFileStatus(new Path(path)));
    }

    /** A call that was held may find two owners, after those of its paths were compared. */
    @Test
    void renameBetweenOwnersFailsWithIoException() throws Exception {
        keeper.appendVersion(7, NEW_OWNER, "carol");
        SubtreeView view = table.refreshedView();

        assertThatThrownBy(() -> view.rename(FILE, new Path("/d/x"), Options.Rename.NONE))
                .isInstanceOf(IOException.class)
                .hasMessage("Renames across Mount points not supported: /a/x, /d/x");
        assertThatThrownBy(() -> view.rename(FILE, new Path("/d/x"))).isInstanceOf(IOException.class);
    }

    /** A move gives the permission before the owner. */
    @Test
    void waitsForDirectoryWithPermissionButWithoutOwner() throws Exception {
        keeper.appendVersion(7, NEW_OWNER, "carol");
        table.refreshedView();
        LOOKED.set(path -> attempts.size() < 3 ? sealedStatus(0700) : directoryStatus(0700));

        int answer = table.call(FILE, view -> denyUntilAttempt(view, 3));
        assertThat(answer).isEqualTo(7);
        assertThat(attempts).containsExactly(7, 7, 7);
    }

    /** It takes a while to look for a newer version; meanwhile a move goes on. */
    @Test
    void retriesWhenDirectoryOpensBetweenRefusalAndLookup() throws Exception {
        keeper.appendVersion(7, NEW_OWNER, "carol");
        table.refreshedView();
        LOOKED.set(path -> directoryStatus(0755));

        assertThat(table.call(FILE, this::denyOnce)).isEqualTo(7);
        assertThat(attempts).containsExactly(7, 7);
    }

    private int denyUntilAttempt(SubtreeView view, int attempt) throws IOException {
        attempts.add(view.version());
        if (attempts.size() < attempt) {
            throw new AccessControlException("as the directory is closed");
        }
        return view.version();
    }

    private static FileStatus sealedStatus(int permission) {
        return new FileStatus(
                0,
                true,
                0,
                0,
                0,
                0,
                new FsPermission((short) permission),
                "hdfs",
                "hdfs",
                null,
                new Path("/a"),
                EnumSet.of(FileStatus.AttrFlags.SNAPSHOT_ENABLED));
    }

    /** So a user who is denied access costs no more, however many directories a version has handed over. */
    @Test
    void checksOnlyHandedOverDirectoriesOnPath() {
        List<String> asked = new ArrayList<>();
        LOOKED.set(path -> {
            asked.add(path.toString());
            return directoryStatus(0755);
        });
        keeper.appendVersion(7, NEW_OWNER, "carol");
        table.refreshedView();

        assertDenied(new Path("/ab/x"));
        assertDenied(new Path("/b/d"));
        assertThat(asked).isEmpty();
        assertDenied(new Path("/a"));
        assertDenied(FILE);
        assertDenied(new Path("hdfs://" + NAME + "/b/c/d/e"));
        // Each is asked for twice: access is denied once more when all is open.
        assertThat(asked).containsExactly("/a", "/a", "/a", "/a", "/b/c", "/b/c");
    }

    private void handOverLeavingClosed(String closedDirectory) {
        keeper.appendVersion(7, NEW_OWNER, "carol");
        table.refreshedView();
        LOOKED.set(path -> directoryStatus(path.toString().equals(closedDirectory) ? 0 : 0755));
    }

    private int denyOnce(SubtreeView view) throws IOException {
        return denyUntilAttempt(view, 2);
    }

    @Test
    void reportsAccessDeniedWhenAllDirectoriesAreOpen() {
        AtomicLong looks = new AtomicLong();
        LOOKED.set(path -> {
            looks.incrementAndGet();
            return directoryStatus(0755);
        });
        assertDenied(FILE);
        assertThat(looks).hasValue(0);
        keeper.appendVersion(7, NEW_OWNER, "carol");
        table.refreshedView();
        assertDenied(FILE);
        assertThat(looks).hasValue(2);
        // So long a move takes no more.
        LOOKED.set(path -> directoryStatus(0));
        clock.addAndGet(2 * LONG.toNanos());
        assertDenied(FILE);
        assertThat(attempts).containsExactly(5, 7, 7, 7);
    }

    private void assertDenied(Path path) {
        assertThatThrownBy(() -> table.call(path, view -> {
                    attempts.add(view.version());
                    throw new AccessControlException(path.toString());
                }))
                .isInstanceOf(AccessControlException.class);
    }

    /** Its own owner has it; Hadoop's tree of mounts has nothing there but the entry. */
    @Test
    void queriesOwnerForParentOfEntry() throws Exception {
        keeper.appendVersion(7, NEW_OWNER, "carol");
        table.refreshedView();

        assertThat(nameserviceQueriedFor("/b")).isEqualTo(OLD_OWNER + " has /b");
        assertThat(nameserviceQueriedFor("hdfs://" + NAME + "/b")).isEqualTo(OLD_OWNER + " has /b");
        assertThat(nameserviceQueriedFor("/b/c")).isEqualTo(NAME + " has /b/c");
        assertThat(nameserviceQueriedFor("/b/d")).isEqualTo(NAME + " has /b/d");
    }

    private String nameserviceQueriedFor(String path) throws IOException {
        return table.call(new Path(path), (client, there) -> client.getUri().getAuthority() + " has " + there);
    }

    private static FileStatus directoryStatus(int permission) {
        return new FileStatus(
                0, true, 0, 0, 0, 0, new FsPermission((short) permission), "hdfs", "hdfs", new Path("/a"));
    }

    /** A restore has made version 7 void, and others were made since. No process seals a directory for clients that follow the void one. */
    @Test
    void recreatedVersionReplacesVoidVersion() {
        keeper.appendVersion(6, OLD_OWNER, "bob");
        keeper.appendVersion(7, NEW_OWNER, "bob");
        assertThat(table.refreshedView().owners().ownerOf("/a/x")).isEqualTo(NEW_OWNER);

        keeper.appendVersion(5, OLD_OWNER, "alice");
        keeper.appendVersion(6, OLD_OWNER, "carol");
        keeper.appendVersion(7, OLD_OWNER, "carol");

        assertThat(table.refreshedView().owners().ownerOf("/a/x")).isEqualTo(OLD_OWNER);
    }

    @Test
    void draftDoesNotReplaceVersion() {
        SubtreeView before = table.refreshedView();
        keeper.appendVersion(5, OLD_OWNER, "alice");

        assertThat(table.refreshedView()).isSameAs(before);
        assertThat(before.version()).isEqualTo(5);
    }

    @Test
    void refusalMessageNamesVersion() throws Exception {
        assertThat(SubtreeMovedException.of("/a", "ns2", 12).version()).hasValue(12);
        assertThat(new SubtreeMovedException("somewhere else").version()).isEmpty();
        assertThat(((SubtreeMovedException) movedException(12).unwrapRemoteException(SubtreeMovedException.class))
                        .version())
                .hasValue(12);
    }
}
