/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.gate;

import io.trefoil.federation.gate.AccessedPaths;
import io.trefoil.federation.gate.Verdict;
import io.trefoil.federation.marks.FrozenMark;
import io.trefoil.federation.marks.SealMark;
import io.trefoil.federation.marks.SubtreeCaller;
import io.trefoil.ha.hdfs.calls.ClientCalls;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.DeleteRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetEditsFromTxidResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetQuotaUsageRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetQuotaUsageResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.Rename2RequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.RenameRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.QuotaUsageProto;
import org.apache.hadoop.hdfs.protocol.proto.XAttrProtos.RemoveXAttrRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.XAttrProtos.SetXAttrRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.XAttrProtos.XAttrProto;
import org.apache.hadoop.hdfs.protocol.proto.XAttrProtos.XAttrProto.XAttrNamespaceProto;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.ipc.ForwardedCall;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;

/**
 * Holds calls that would change a frozen subtree, or read a closed one, executes changes of the marks, refuses calls for paths of other
 * nameservices, and protects directories that are entries or sealed from being deleted or renamed. Answers two questions of moves: whether
 * a directory has quotas, without counting what is in it, and the list of edits, also of those without events in HDFS.
 *
 * <p>A held call occupies no handler. A forwarded call, or one for which there is no room, is refused with a {@code RetriableException}
 * instead; the client then repeats it under the same ids.
 *
 * <p>Uses {@code DeleteRequestProto}, {@code RenameRequestProto}, {@code Rename2RequestProto}, {@code
 * SetXAttrRequestProto}, {@code RemoveXAttrRequestProto}, {@code GetQuotaUsageRequestProto}, {@code
 * GetQuotaUsageResponseProto}, {@code QuotaUsageProto}, {@code GetEditsFromTxidResponseProto}; {@code
 * CallerContext.getCurrent}; {@code Server.getCurCall}; {@code RetriableException}.
 */
public final class GatedCalls extends ClientCalls {
    /** The namespace of the marks' attributes, which has its own field on the wire. */
    private static final String NAMESPACE = "trusted.";

    private static final Message NO_QUOTAS = GetQuotaUsageResponseProto.newBuilder()
            .setUsage(QuotaUsageProto.newBuilder()
                    .setFileAndDirectoryCount(0)
                    .setSpaceConsumed(0)
                    .setQuota(HdfsConstants.QUOTA_RESET)
                    .setSpaceQuota(HdfsConstants.QUOTA_RESET))
            .build();

    private final SubtreeGate gate;

    public GatedCalls(BlockingService inner, SubtreeGate gate) {
        super(inner);
        this.gate = gate;
    }

    /** @return null, as in Hadoop, if the answer comes later */
    @Override
    public Message callBlockingMethod(MethodDescriptor method, RpcController controller, Message request)
            throws ServiceException {
        CallPaths paths = CallPaths.of(method);
        try {
            SubtreeGate.Execution<Message, ServiceException> execution = () -> executeCall(method, controller, request);
            if (!paths.isChange() && !(paths.isRead() && gate.mustCheckReads())) {
                requireOwnedHere(paths, request);
                return execution.run();
            }
            if (request instanceof SetXAttrRequestProto) {
                SetXAttrRequestProto set = (SetXAttrRequestProto) request;
                Optional<String> mark = changedMark(set.getSrc(), set.getXAttr());
                if (mark.isPresent()) {
                    return gate.freezeAndRun(
                            parseFrozenMark(
                                    mark.get(), set.getXAttr().getValue().toByteArray()),
                            execution);
                }
                if (isSeal(set.getXAttr())) {
                    Message sealed = executeChange(method, paths, request, execution);
                    gate.awaitRemovals(set.getSrc());
                    return sealed;
                }
            } else if (request instanceof RemoveXAttrRequestProto) {
                RemoveXAttrRequestProto remove = (RemoveXAttrRequestProto) request;
                Optional<String> mark = changedMark(remove.getSrc(), remove.getXAttr());
                if (mark.isPresent()) {
                    return gate.thaw(mark.get().substring(FrozenMark.PREFIX.length()), execution);
                }
            }
            return paths.isChange()
                    ? executeChange(method, paths, request, execution)
                    : executeRead(method, paths, request, execution);
        } catch (IOException e) {
            throw new ServiceException(e);
        }
    }

    private Message executeCall(MethodDescriptor method, RpcController controller, Message request)
            throws ServiceException, IOException {
        if (request instanceof GetQuotaUsageRequestProto
                && isSuperuserContext(SubtreeCaller.QUOTAS)
                && gate.quotas().hasNoQuota(((GetQuotaUsageRequestProto) request).getPath())) {
            return NO_QUOTAS;
        }
        Message answer = inner().callBlockingMethod(method, controller, request);
        return answer instanceof GetEditsFromTxidResponseProto && isSuperuserContext(SubtreeCaller.EDITS)
                ? gate.edits().completeResponse((GetEditsFromTxidResponseProto) answer)
                : answer;
    }

    private void requireOwnedHere(CallPaths paths, Message request) throws IOException {
        if ((paths.isRead() || paths.isChange()) && gate.hasMovedSubtrees()) {
            gate.requireOwnedHere(AccessedPaths.of(paths.pathsIn(request), Optional.empty()));
        }
        if ((paths.isChange() && gate.mayBeClosed()) || (paths.isRead() && gate.mustCheckAccess())) {
            gate.requireNotClosed(paths.pathsToCheckAccess(request));
        }
    }

    private Message executeChange(
            MethodDescriptor method,
            CallPaths paths,
            Message request,
            SubtreeGate.Execution<Message, ServiceException> execution)
            throws ServiceException, IOException {
        Optional<String> move = moveOfCaller();
        Verdict verdict;
        try (InFlightChanges.Admission admission = gate.admit(() -> AccessedPaths.of(paths.pathsIn(request), move))) {
            verdict = gate.verdict(admission, move.isPresent());
            requireOwnedHere(paths, request);
            if (verdict.kind() == Verdict.Kind.PASS) {
                gate.requireRemovable(removedPaths(request));
                if (request instanceof Rename2RequestProto && ((Rename2RequestProto) request).getOverwriteDest()) {
                    Rename2RequestProto rename = (Rename2RequestProto) request;
                    gate.requireReplaceable(rename.getDst(), rename.getSrc());
                }
                return execution.run();
            }
        }
        if (verdict.kind() == Verdict.Kind.REFUSE) {
            throw new IOException(verdict.refusal());
        }
        return holdCall(method, request, verdict);
    }

    /** The path that a call deletes or renames; empty if it does something else. */
    private static List<String> removedPaths(Message request) {
        if (request instanceof DeleteRequestProto) {
            return Collections.singletonList(((DeleteRequestProto) request).getSrc());
        }
        if (request instanceof RenameRequestProto) {
            return Collections.singletonList(((RenameRequestProto) request).getSrc());
        }
        if (request instanceof Rename2RequestProto) {
            return Collections.singletonList(((Rename2RequestProto) request).getSrc());
        }
        return Collections.emptyList();
    }

    private Message executeRead(
            MethodDescriptor method,
            CallPaths paths,
            Message request,
            SubtreeGate.Execution<Message, ServiceException> execution)
            throws ServiceException, IOException {
        AccessedPaths read = AccessedPaths.of(paths.pathsIn(request), moveOfCaller());
        // A closed directory refuses no superuser, and a move asks for quotas by ids, which may be anywhere.
        Verdict verdict =
                paths.readsWholeTree() && !gate.isSuperuser() ? gate.verdictOfSum(read) : gate.verdictOfRead(read);
        requireOwnedHere(paths, request);
        return verdict.kind() == Verdict.Kind.PASS ? execution.run() : holdCall(method, request, verdict);
    }

    private Message holdCall(MethodDescriptor method, Message request, Verdict verdict) throws IOException {
        gate.refuseIfObserver(verdict.refusal());
        Server.Call call = Server.getCurCall().get();
        boolean mayWait = call != null && !(call instanceof ForwardedCall);
        if (mayWait && gate.heldCalls().tryHold(method.getName(), request, getResponsePrototype(method))) {
            return null;
        }
        throw new RetriableException(verdict.refusal());
    }

    /** The move that made the call which this thread is executing. */
    private Optional<String> moveOfCaller() throws IOException {
        Optional<String> move = callerContext().flatMap(SubtreeCaller::moveOf);
        return move.isPresent() && gate.isSuperuser() ? move : Optional.empty();
    }

    /**
     * Whether a superuser asks this question, by its caller context. Superusers may read every directory, so nothing else
     * has to be checked.
     */
    private boolean isSuperuserContext(String question) throws IOException {
        return callerContext().filter(question::equals).isPresent() && gate.isSuperuser();
    }

    private static Optional<String> callerContext() {
        return Optional.ofNullable(CallerContext.getCurrent()).map(CallerContext::getContext);
    }

    /** The full name of the mark that the call changes; empty if it changes something else, or if HDFS will refuse it. */
    private Optional<String> changedMark(String directory, XAttrProto attribute) throws IOException {
        String name = NAMESPACE + attribute.getName();
        boolean isMark = attribute.getNamespace() == XAttrNamespaceProto.TRUSTED
                && name.startsWith(FrozenMark.PREFIX)
                && AccessedPaths.isRoot(directory);
        return isMark && gate.isSuperuser() ? Optional.of(name) : Optional.empty();
    }

    private static boolean isSeal(XAttrProto attribute) {
        return attribute.getNamespace() == XAttrNamespaceProto.TRUSTED
                && SealMark.NAME.equals(NAMESPACE + attribute.getName());
    }

    private static FrozenMark parseFrozenMark(String name, byte[] value) throws IOException {
        try {
            return FrozenMark.parse(name, value);
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }
}
