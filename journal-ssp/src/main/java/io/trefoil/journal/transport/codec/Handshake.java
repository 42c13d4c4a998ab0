/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.codec;

import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.SessionRefusedException;
import io.trefoil.journal.transport.Welcome;
import io.trefoil.journal.transport.codec.field.BadFrameException;
import io.trefoil.journal.transport.codec.field.RefusalCause;
import io.trefoil.journal.transport.codec.field.WireReader;
import io.trefoil.journal.transport.codec.field.WireWriter;
import java.util.Optional;

/**
 * The messages that are exchanged on a connection before both sides have agreed on a version. Their form never changes, except that a
 * later version may append fields: a later version must be able to learn that this node is older. Immutable.
 */
public abstract class Handshake {

    /** {@code "TREFOIL\n"}: nothing else begins with these bytes by chance. */
    static final long MAGIC = 0x54524546_4f494c0aL;

    static final int MIN_VERSION = 1;

    static final int MAX_VERSION = Welcome.NEWEST_VERSION;

    /** The version since which a refused caller of another cluster learns which incarnation the node keeps. */
    private static final int INCARNATION_VERSION = 3;

    private static final int ROLE_WRITER = 1;
    private static final int ROLE_READER = 2;

    private Handshake() {}

    /** Writes the body and returns the type. */
    abstract MessageType write(WireWriter out);

    /** A Hello as it arrived: its fields are known only if the caller speaks one of this node's versions. */
    public static final class Greeting extends Handshake {
        private final long magic;
        private final int minVersion;
        private final int maxVersion;
        private final Optional<Hello> hello;
        private final Bytes digest;

        public Greeting(Hello hello) {
            this(MAGIC, MIN_VERSION, MAX_VERSION, Optional.of(hello), Bytes.EMPTY);
        }

        private Greeting(long magic, int minVersion, int maxVersion, Optional<Hello> hello, Bytes digest) {
            this.magic = magic;
            this.minVersion = minVersion;
            this.maxVersion = maxVersion;
            this.hello = hello;
            this.digest = digest;
        }

        /** The digest of all its bytes as they arrived; empty for a Hello that is to be sent. */
        public Bytes digest() {
            return digest;
        }

        /** @throws SessionRefusedException if the caller speaks no version of this node */
        public Hello helloInKnownVersion() throws SessionRefusedException {
            if (magic != MAGIC) {
                throw new SessionRefusedException(
                        SessionRefusedException.Reason.WRONG_MAGIC,
                        String.format("Not a caller of this service: it began with %016x, wanted %016x", magic, MAGIC));
            }
            return hello.orElseThrow(() -> new SessionRefusedException(
                    SessionRefusedException.Reason.WRONG_VERSION,
                    "The caller speaks protocol versions " + minVersion + ".." + maxVersion + ", this node "
                            + MIN_VERSION + ".." + MAX_VERSION));
        }

        /** The highest version that both sides speak. */
        public int version() {
            return Math.min(maxVersion, MAX_VERSION);
        }

        @Override
        MessageType write(WireWriter out) {
            Hello fields = hello.orElseThrow(() -> new IllegalStateException("Not a Hello of this version"));
            out.number64(magic)
                    .number8(minVersion)
                    .number8(maxVersion)
                    .text(fields.journal().text())
                    .namespace(fields.namespace())
                    .number8(fields.role() == Hello.CallerRole.WRITER ? ROLE_WRITER : ROLE_READER)
                    .text(fields.caller())
                    .flag(fields.callerNode().isPresent());
            if (fields.callerNode().isPresent()) {
                NodeAddress callerNode = fields.callerNode().get();
                out.text(callerNode.host()).number32(callerNode.port());
            }
            out.text(fields.authentication()).bytes(fields.credentials());
            return MessageType.HELLO;
        }
    }

    /** A token of the authentication mechanism. */
    public static final class Token extends Handshake {
        private final MessageType type;
        private final Bytes bytes;

        private Token(MessageType type, Bytes bytes) {
            this.type = type;
            this.bytes = bytes;
        }

        /** A token of the node. */
        public static Token challenge(Bytes bytes) {
            return new Token(MessageType.CHALLENGE, bytes);
        }

        /** A token of the caller, after its Hello. */
        public static Token response(Bytes bytes) {
            return new Token(MessageType.RESPONSE, bytes);
        }

        public Bytes bytes() {
            return bytes;
        }

        @Override
        MessageType write(WireWriter out) {
            out.bytes(bytes);
            return type;
        }
    }

    /** The session is accepted, in this version. */
    public static final class Acceptance extends Handshake {
        private final Welcome welcome;
        private final Bytes receivedBytes;

        public Acceptance(Welcome welcome) {
            this(welcome, Bytes.EMPTY);
        }

        /** @param receivedBytes the digest of the Hello as the node received it; empty without authentication */
        public Acceptance(Welcome welcome, Bytes receivedBytes) {
            this.welcome = welcome;
            this.receivedBytes = receivedBytes;
        }

        /** The digest of the Hello as the node received it; empty without authentication. */
        public Bytes helloDigest() {
            return receivedBytes;
        }

        public Welcome welcome() {
            return welcome;
        }

        @Override
        MessageType write(WireWriter out) {
            out.number8(welcome.version())
                    .node(welcome.node())
                    .flag(welcome.formatted())
                    .namespace(welcome.namespace())
                    .epoch(welcome.promisedEpoch());
            if (receivedBytes.size() > 0) {
                out.bytes(receivedBytes);
            }
            return MessageType.WELCOME;
        }
    }

    /** The session was refused, after which the node closes the connection. */
    public static final class Refusal extends Handshake {
        private final String reason;
        private final Optional<Incarnation> keptIncarnation;

        public Refusal(String reason) {
            this(reason, Optional.<Incarnation>empty());
        }

        private Refusal(String reason, Optional<Incarnation> keptIncarnation) {
            this.reason = reason;
            this.keptIncarnation = keptIncarnation;
        }

        /**
         * Contains as much of the refusal as the caller understands.
         *
         * @param version the highest version that both sides speak
         */
        public static Refusal of(SessionRefusedException refusal, int version) {
            return new Refusal(
                    refusal.getMessage(),
                    version < INCARNATION_VERSION ? Optional.<Incarnation>empty() : refusal.otherIncarnation());
        }

        public String reason() {
            return reason;
        }

        /**
         * The incarnation of the journal that the node keeps for another cluster; empty for any other cause, and from
         * older nodes.
         */
        public Optional<Incarnation> otherIncarnation() {
            return keptIncarnation;
        }

        @Override
        MessageType write(WireWriter out) {
            out.explanation(reason);
            keptIncarnation.ifPresent(out::incarnation);
            return MessageType.REFUSAL;
        }
    }

    static Handshake readFromCaller(MessageType type, WireReader in) throws BadFrameException {
        return type == MessageType.RESPONSE ? Token.response(in.bytes()) : readGreeting(type, in);
    }

    private static Greeting readGreeting(MessageType type, WireReader in) throws BadFrameException {
        if (type != MessageType.HELLO) {
            throw new BadFrameException(RefusalCause.UNKNOWN_TYPE, "The first message is a HELLO, found " + type);
        }
        Bytes digest = in.digest();
        long magic = in.number64();
        int minVersion = in.number8();
        int maxVersion = in.number8();
        if (magic != MAGIC || minVersion > MAX_VERSION || maxVersion < MIN_VERSION) {
            in.skipRest();
            return new Greeting(magic, minVersion, maxVersion, Optional.<Hello>empty(), digest);
        }
        Hello hello = readHello(in);
        if (maxVersion > MAX_VERSION) {
            // A later version may append fields to those of the first version.
            in.skipRest();
        }
        return new Greeting(magic, minVersion, maxVersion, Optional.of(hello), digest);
    }

    private static Hello readHello(WireReader in) throws BadFrameException {
        JournalId journal = JournalId.of(in.text());
        NamespaceId namespace = in.namespace();
        Hello.CallerRole role = role(in.number8());
        String caller = in.text();
        Optional<NodeAddress> callerNode = in.flag() ? Optional.of(address(in)) : Optional.<NodeAddress>empty();
        String authentication = in.text();
        Bytes credentials = in.bytes();
        return Hello.of(journal, namespace, role, caller, callerNode, authentication, credentials);
    }

    static Handshake readAnswer(MessageType type, WireReader in) throws BadFrameException {
        switch (type) {
            case CHALLENGE:
                return Token.challenge(in.bytes());
            case WELCOME:
                return new Acceptance(readWelcome(in), in.hasMore() ? in.bytes() : Bytes.EMPTY);
            case REFUSAL:
                String reason = in.text();
                return new Refusal(
                        reason, in.hasMore() ? Optional.of(in.incarnation()) : Optional.<Incarnation>empty());
            default:
                throw new BadFrameException(
                        RefusalCause.UNKNOWN_TYPE,
                        "A HELLO is answered by WELCOME, REFUSAL or CHALLENGE, found " + type);
        }
    }

    private static Welcome readWelcome(WireReader in) throws BadFrameException {
        int version = in.number8();
        if (version < MIN_VERSION || version > MAX_VERSION) {
            throw new BadFrameException(
                    RefusalCause.UNKNOWN_VERSION,
                    "The node chose protocol version " + version + ", this caller speaks " + MIN_VERSION + ".."
                            + MAX_VERSION);
        }
        NodeId node = in.node();
        boolean formatted = in.flag();
        NamespaceId namespace = in.namespace();
        return Welcome.of(node, formatted, namespace, in.epoch()).withVersion(version);
    }

    private static Hello.CallerRole role(int code) throws BadFrameException {
        switch (code) {
            case ROLE_WRITER:
                return Hello.CallerRole.WRITER;
            case ROLE_READER:
                return Hello.CallerRole.READER;
            default:
                throw new BadFrameException(RefusalCause.MALFORMED, "Unknown role " + code + " in a HELLO");
        }
    }

    private static NodeAddress address(WireReader in) throws BadFrameException {
        String host = in.text();
        return NodeAddress.of(host, in.number32());
    }
}
