/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.move;

import io.trefoil.federation.hdfs.tree.CallerContexts;
import io.trefoil.federation.marks.FrozenMark;
import io.trefoil.federation.marks.SubtreeCaller;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.EnumSet;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.XAttrHelper;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.ipc.RemoteException;

/**
 * The freeze of a subtree by the NameNodes of its owner, and the calls that these admit during it. A freeze runs out by itself, and
 * then NameNodes refuse its calls: of a process that stood still for so long none is executed. Belongs to one thread.
 *
 * <p>Uses {@code DFSClient.getNamenode}, {@code XAttrHelper}.
 */
public final class HdfsFreeze {

    /**
     * The length of a freeze, half the maximum of NameNodes, so that the clocks of this host and theirs may differ by that much.
     */
    static final Duration TIME = Duration.ofSeconds(30);

    /** The part of a freeze that may elapse until open files are closed. */
    static final Duration TIMEOUT = Duration.ofSeconds(20);

    private static final Path MARKED = new Path(FrozenMark.DIRECTORY);

    private final DistributedFileSystem fileSystem;
    private final ClientProtocol nameNode;
    private final String move;
    private final String path;
    private boolean stands;

    /** @param nameNode the same nameservice, for calls that change something */
    HdfsFreeze(DistributedFileSystem fileSystem, ClientProtocol nameNode, String move, String path) {
        this.fileSystem = fileSystem;
        this.nameNode = nameNode;
        this.move = move;
        this.path = path;
    }

    /** A call without a result. */
    interface Action {
        void run() throws IOException;
    }

    /** Whether the active NameNode would hold other callers' calls. */
    boolean isSupported() throws IOException {
        return supportsMarks(fileSystem, move, path);
    }

    /**
     * Whether the active NameNode supports marks.
     *
     * @param move the id of one that has frozen nothing there
     * @param path of any directory
     */
    public static boolean supportsMarks(DistributedFileSystem fileSystem, String move, String path) throws IOException {
        try {
            // HDFS finds nothing to delete. A NameNode that knows of freezes refuses all calls of a move without a
            // freeze.
            callAsMove(move, () -> fileSystem.getClient().getNamenode().delete(path + "/.trefoil-move-" + move, false));
            return false;
        } catch (RemoteException e) {
            if (e.getClassName().equals(IOException.class.getName())) {
                return true;
            }
            throw e;
        }
    }

    /** Begins the freeze: from now on, other callers' changes wait. */
    void begin() throws IOException {
        // If the answer is lost, the mark may be there; and a mark that is not is no harm.
        set(mark(), XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE);
        stands = true;
    }

    /**
     * Extends the freeze to reads, which from now on wait as well, and restarts its time.
     *
     * @throws IOException if the time of the freeze was over: others may have changed something
     */
    void extendToReads() throws IOException {
        set(mark().withReads(), XAttrSetFlag.REPLACE);
    }

    private FrozenMark mark() {
        return FrozenMark.of(move, path, Clock.systemUTC().millis() + TIME.toMillis());
    }

    private void set(FrozenMark mark, XAttrSetFlag first, XAttrSetFlag... more) throws IOException {
        nameNode.setXAttr(
                FrozenMark.DIRECTORY, XAttrHelper.buildXAttr(mark.name(), mark.value()), EnumSet.of(first, more));
    }

    /** Whether the freeze is in force; asks the NameNode, as an earlier process may have begun it, and it may have expired. */
    boolean checkActive() throws IOException {
        stands = fileSystem.getXAttrs(MARKED).containsKey(FrozenMark.PREFIX + move);
        return stands;
    }

    /** Whether the freeze was in force when it was last checked, or begun. */
    boolean isActive() {
        return stands;
    }

    /** Ends the freeze, so that all calls are executed; does nothing if the freeze is no longer in force. */
    void end() throws IOException {
        if (checkActive()) {
            nameNode.removeXAttr(FrozenMark.DIRECTORY, XAttrHelper.buildXAttr(FrozenMark.PREFIX + move));
            stands = false;
        }
    }

    /** Makes calls to the owner on this thread, bypassing the freeze if it is in force. Calls elsewhere must not be among them. */
    <T> T callPastFreeze(CallerContexts.Call<T> call) throws IOException {
        return stands ? callAsMove(move, call) : call.run();
    }

    void runPastFreeze(Action action) throws IOException {
        callPastFreeze(() -> {
            action.run();
            return true;
        });
    }

    private static <T> T callAsMove(String move, CallerContexts.Call<T> call) throws IOException {
        return CallerContexts.callWithContext(SubtreeCaller.contextOfMove(move), call);
    }
}
