/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.federation.marks.SubtreeCaller;
import io.trefoil.journal.hdfs.TestNameNodes;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.QuotaUsage;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.inotify.Event;
import org.apache.hadoop.hdfs.inotify.EventBatch;
import org.apache.hadoop.hdfs.inotify.EventBatchList;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetEditsFromTxidResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.InotifyProtos.EventsListProto;
import org.apache.hadoop.hdfs.server.namenode.EventlessEdit;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOpCodes;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;

/** What gates answer to a process that moves a subtree, and HDFS to others: whether a directory has quotas, and which edits there were. */
class AnswersForMoversTest extends GateFixture {
    /** The paths of which a NameNode tells events, in the order of edits. */
    private static List<String> changedPaths(EventBatchList batches) {
        List<String> changed = new ArrayList<>();
        for (EventBatch batch : batches.getBatches()) {
            for (Event event : batch.getEvents()) {
                changed.add(
                        event instanceof Event.MetadataUpdateEvent update
                                ? update.getPath()
                                : event.getEventType().name());
            }
        }
        return changed;
    }

    @Test
    void answersQuotaQueryWithoutCounting() throws Exception {
        ClientProtocol caller = client(active);
        String directory = "/.reserved/.inodes/" + caller.getFileInfo("/a").getFileId();
        assertThat(caller.getQuotaUsage(directory).getFileAndDirectoryCount()).isEqualTo(2);

        QuotaUsage none = quotas(caller, directory);
        assertThat(none.getFileAndDirectoryCount()).isZero();
        assertThat(List.of(none.getQuota(), none.getSpaceQuota())).containsOnly(-1L);
        assertThat(none.isTypeQuotaSet()).isFalse();
        // Whatever else is asked, or by whom, HDFS answers.
        assertThat(quotas(caller, "/a").getFileAndDirectoryCount()).isEqualTo(2);
        assertThat(quotas(caller, directory + "/b").getFileAndDirectoryCount()).isEqualTo(1);
        ClientProtocol user = clientAs(active, UserGroupInformation.createRemoteUser("somebody"));
        assertThat(quotas(user, directory).getFileAndDirectoryCount()).isEqualTo(2);
        assertThatThrownBy(() -> quotas(caller, "/.reserved/.inodes/99999")).hasMessageContaining("does not exist");

        caller.setQuota("/a", HdfsConstants.QUOTA_DONT_SET, 77_000, null);
        assertThat(quotas(caller, directory).getSpaceQuota()).isEqualTo(77_000);
        caller.setQuota("/a", 7, HdfsConstants.QUOTA_RESET, null);
        assertThat(quotas(caller, directory).getQuota()).isEqualTo(7);
        caller.setQuota("/a", HdfsConstants.QUOTA_RESET, HdfsConstants.QUOTA_RESET, null);
        caller.setQuota("/a", HdfsConstants.QUOTA_DONT_SET, 88_000, StorageType.DISK);
        assertThat(quotas(caller, directory).getTypeQuota(StorageType.DISK)).isEqualTo(88_000);

        caller.setQuota("/a", HdfsConstants.QUOTA_DONT_SET, HdfsConstants.QUOTA_RESET, StorageType.DISK);
        assertThat(quotas(caller, directory).getFileAndDirectoryCount()).isZero();
        TestNameNodes.makeStandby(active);
        assertThatThrownBy(() -> quotas(caller, directory)).hasMessageContaining("not supported in state standby");
    }

    @Test
    void editsIncludeQuotasAndPoliciesSetByAnyCaller() throws Exception {
        ClientProtocol caller = client(active);
        caller.mkdirs("/a/b/folder", WORLD_WRITABLE, false);
        caller.rollEdits();
        long first = caller.getCurrentEditLogTxid() + 1;
        caller.setQuota("//a///b/", 7, HdfsConstants.QUOTA_DONT_SET, null);
        caller.rename("/a/b/folder", "/a/b/renamed");
        assertThat(requestWebHdfs("PUT", "/a/b/renamed?op=SETSTORAGEPOLICY&storagepolicy=COLD"))
                .isEqualTo(200);
        // As a door that no gate sees.
        active.getRpcServer().setQuota("/a", HdfsConstants.QUOTA_DONT_SET, 99_000, StorageType.DISK);
        caller.unsetStoragePolicy("/a/b/renamed");
        caller.setPermission("/a/b", new FsPermission((short) 0700));
        long last = caller.getCurrentEditLogTxid();
        String[] all = {"/a/b", "RENAME", "/a/b/renamed", "/a", "/a/b/renamed", "/a/b"};

        EventBatchList batches = callWithQuery(SubtreeCaller.EDITS, () -> caller.getEditsFromTxid(first));

        assertThat(changedPaths(batches)).containsExactly(all);
        assertThat(batches.getBatches()).extracting(EventBatch::getTxid).isSorted();
        assertThat(List.of(batches.getFirstTxid(), batches.getLastTxid())).containsExactly(first, last);
        EventBatch end = batches.getBatches().get(batches.getBatches().size() - 1);
        assertThat(end.getEvents()).isEmpty();
        assertThat(end.getTxid()).isEqualTo(last);

        // Those who do not ask for it are told what HDFS tells.
        EventBatchList stock = caller.getEditsFromTxid(first);
        assertThat(changedPaths(stock)).containsExactly("RENAME", "/a/b");
        assertThat(stock.getBatches()).noneMatch(batch -> batch.getEvents().length == 0);
        ClientProtocol user = clientAs(active, UserGroupInformation.createRemoteUser("somebody"));
        assertThatThrownBy(() -> callWithQuery(SubtreeCaller.EDITS, () -> user.getEditsFromTxid(first)))
                .hasMessageContaining("uperuser privilege");
        assertThat(callWithQuery(SubtreeCaller.EDITS, () -> caller.getEditsFromTxid(last + 1))
                        .getBatches())
                .isEmpty();

        // The next active reads the same edits.
        assertThat(nameNodes.bootstrap("nn2")).isZero();
        NameNode next = nameNodes.start("nn2");
        gateOf(next);
        TestNameNodes.makeStandby(active);
        TestNameNodes.makeActive(next);
        assertThat(changedPaths(
                        callWithQuery(SubtreeCaller.EDITS, () -> client(next).getEditsFromTxid(first))))
                .containsExactly(all);
    }

    /** A kind of edit that a newer HDFS has must be looked at: whether it changes a file or directory, and whether there is an event. */
    @Test
    void gateKnowsEachKindOfEdit() {
        Set<FSEditLogOpCodes> known = EnumSet.noneOf(FSEditLogOpCodes.class);
        // With events.
        known.addAll(EnumSet.of(
                FSEditLogOpCodes.OP_ADD,
                FSEditLogOpCodes.OP_CLOSE,
                FSEditLogOpCodes.OP_APPEND,
                FSEditLogOpCodes.OP_TRUNCATE,
                FSEditLogOpCodes.OP_CONCAT_DELETE,
                FSEditLogOpCodes.OP_MKDIR,
                FSEditLogOpCodes.OP_SYMLINK,
                FSEditLogOpCodes.OP_DELETE,
                FSEditLogOpCodes.OP_RENAME_OLD,
                FSEditLogOpCodes.OP_RENAME,
                FSEditLogOpCodes.OP_SET_REPLICATION,
                FSEditLogOpCodes.OP_SET_PERMISSIONS,
                FSEditLogOpCodes.OP_SET_OWNER,
                FSEditLogOpCodes.OP_SET_ACL,
                FSEditLogOpCodes.OP_SET_XATTR,
                FSEditLogOpCodes.OP_REMOVE_XATTR,
                FSEditLogOpCodes.OP_TIMES));
        // Those of which EventlessEdit knows.
        known.addAll(EnumSet.of(
                FSEditLogOpCodes.OP_SET_QUOTA,
                FSEditLogOpCodes.OP_SET_QUOTA_BY_STORAGETYPE,
                FSEditLogOpCodes.OP_SET_NS_QUOTA,
                FSEditLogOpCodes.OP_CLEAR_NS_QUOTA,
                FSEditLogOpCodes.OP_SET_STORAGE_POLICY));
        // Of open files, which end with OP_CLOSE.
        known.addAll(EnumSet.of(
                FSEditLogOpCodes.OP_ADD_BLOCK,
                FSEditLogOpCodes.OP_UPDATE_BLOCKS,
                FSEditLogOpCodes.OP_ALLOCATE_BLOCK_ID,
                FSEditLogOpCodes.OP_SET_GENSTAMP_V1,
                FSEditLogOpCodes.OP_SET_GENSTAMP_V2,
                FSEditLogOpCodes.OP_REASSIGN_LEASE));
        // Nothing of a tree changes.
        known.addAll(EnumSet.of(
                FSEditLogOpCodes.OP_ALLOW_SNAPSHOT,
                FSEditLogOpCodes.OP_DISALLOW_SNAPSHOT,
                FSEditLogOpCodes.OP_CREATE_SNAPSHOT,
                FSEditLogOpCodes.OP_DELETE_SNAPSHOT,
                FSEditLogOpCodes.OP_RENAME_SNAPSHOT,
                FSEditLogOpCodes.OP_GET_DELEGATION_TOKEN,
                FSEditLogOpCodes.OP_RENEW_DELEGATION_TOKEN,
                FSEditLogOpCodes.OP_CANCEL_DELEGATION_TOKEN,
                FSEditLogOpCodes.OP_UPDATE_MASTER_KEY,
                FSEditLogOpCodes.OP_ADD_CACHE_DIRECTIVE,
                FSEditLogOpCodes.OP_MODIFY_CACHE_DIRECTIVE,
                FSEditLogOpCodes.OP_REMOVE_CACHE_DIRECTIVE,
                FSEditLogOpCodes.OP_ADD_CACHE_POOL,
                FSEditLogOpCodes.OP_MODIFY_CACHE_POOL,
                FSEditLogOpCodes.OP_REMOVE_CACHE_POOL,
                FSEditLogOpCodes.OP_ADD_ERASURE_CODING_POLICY,
                FSEditLogOpCodes.OP_ENABLE_ERASURE_CODING_POLICY,
                FSEditLogOpCodes.OP_DISABLE_ERASURE_CODING_POLICY,
                FSEditLogOpCodes.OP_REMOVE_ERASURE_CODING_POLICY,
                FSEditLogOpCodes.OP_ROLLING_UPGRADE_START,
                FSEditLogOpCodes.OP_ROLLING_UPGRADE_FINALIZE,
                FSEditLogOpCodes.OP_START_LOG_SEGMENT,
                FSEditLogOpCodes.OP_END_LOG_SEGMENT));

        // Others are not written, those of DataNodes not any more.
        assertThat(FSEditLogOpCodes.values())
                .filteredOn(code -> !code.name().startsWith("OP_DATANODE_") && code != FSEditLogOpCodes.OP_INVALID)
                .containsExactlyInAnyOrderElementsOf(known);
        // Of an answer with any other it is not said that it is complete.
        assertThat(FSEditLogOpCodes.values())
                .filteredOn(EventlessEdit::isKnown)
                .containsExactlyInAnyOrderElementsOf(known);
    }

    /** As when they were purged in between. */
    @Test
    void unavailableEditsLeaveHdfsAnswerUnchanged() {
        GetEditsFromTxidResponseProto answer = GetEditsFromTxidResponseProto.newBuilder()
                .setEventsList(EventsListProto.newBuilder()
                        .setFirstTxid(1_000_000)
                        .setLastTxid(1_000_001)
                        .setSyncTxid(1_000_001))
                .build();

        assertThat(new InotifyEdits(active).completeResponse(answer)).isSameAs(answer);
    }
}
