/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.calls;

import java.util.List;
import java.util.function.Supplier;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.apache.hadoop.thirdparty.protobuf.UnknownFieldSet;

/**
 * Tells clients the members of the group and the site of this NameNode together with its role, over the connection on
 * which this NameNode has authenticated itself to them.
 *
 * <p>It names the members in this NameNode's own configuration, which administrators write. It does not use the view in
 * ZooKeeper: anyone who can write there could send the clients of a whole cluster to a host of their own.
 *
 * <p>All of it is in fields of HDFS's answer that HDFS does not know: its own clients ignore them.
 *
 * <p>Uses {@code UnknownFieldSet} of Hadoop's own protobuf.
 */
public final class NamedMembers extends ClientCalls {
    /** {@code host:port}, once for each member. {@code RoleQuestion} of {@code smart-client} reads it. */
    static final int FIELD = 20_191;
    /** The site of the NameNode that answers, if it has one. The same class reads it. */
    static final int SITE_FIELD = 20_192;

    private static final String QUESTION = "getHAServiceState";

    private final Supplier<List<String>> members;
    private final String site;

    /**
     * @param members the current members, as {@code host:port}
     * @param site of this NameNode; empty if it has none
     */
    public NamedMembers(BlockingService inner, Supplier<List<String>> members, String site) {
        super(inner);
        this.members = members;
        this.site = site;
    }

    private UnknownFieldSet names() {
        UnknownFieldSet.Field.Builder field = UnknownFieldSet.Field.newBuilder();
        for (String member : members.get()) {
            field.addLengthDelimited(ByteString.copyFromUtf8(member));
        }
        UnknownFieldSet.Builder fields = UnknownFieldSet.newBuilder().addField(FIELD, field.build());
        if (!site.isEmpty()) {
            fields.addField(
                    SITE_FIELD,
                    UnknownFieldSet.Field.newBuilder()
                            .addLengthDelimited(ByteString.copyFromUtf8(site))
                            .build());
        }
        return fields.build();
    }

    @Override
    public Message callBlockingMethod(MethodDescriptor method, RpcController controller, Message request)
            throws ServiceException {
        Message answer = inner().callBlockingMethod(method, controller, request);
        return method.getName().equals(QUESTION)
                ? answer.toBuilder().mergeUnknownFields(names()).build()
                : answer;
    }
}
