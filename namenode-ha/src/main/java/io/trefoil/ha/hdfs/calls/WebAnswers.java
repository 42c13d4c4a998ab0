/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.calls;

import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.util.Collections;
import java.util.Optional;
import javax.servlet.Filter;
import javax.servlet.FilterChain;
import javax.servlet.FilterConfig;
import javax.servlet.ServletException;
import javax.servlet.ServletOutputStream;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.WriteListener;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.HttpServletResponseWrapper;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.web.JsonUtil;
import org.apache.hadoop.hdfs.web.WebHdfsFileSystem;
import org.apache.hadoop.http.HttpServer2;
import org.apache.hadoop.ipc.RetriableException;

/**
 * Holds back the answers of WebHDFS like those of HDFS's RPC: the NameNode creates them in its web server, from the namespace in the same
 * process. Before any part of an answer is sent, everything that was known when it was made must be committed, and no other NameNode may
 * have been active. Each waiting answer occupies a thread of the web server, so their number is limited.
 *
 * <p>An answer that may not be sent becomes a {@code StandbyException}, upon which WebHDFS clients ask the next
 * NameNode. If part of it has already been sent, as with a long listing, the connection is closed.
 *
 * <p>It is the last filter, so it holds only authenticated requests. HDFS's web server is already running when plugins
 * start: it accepts a new filter then, but initializes only those that were there before, so this class initializes its
 * own.
 *
 * <p>Uses {@code NameNode.getHttpServer}; {@code HttpServer2.setAttribute}, {@code getWebAppContext}, {@code
 * defineFilter}; {@code JsonUtil.toJsonString}; {@code WebHdfsFileSystem.PATH_PREFIX}; {@code RetriableException}.
 */
public final class WebAnswers implements Filter {
    private static final String NAME = "trefoil-answers";

    private Gate gate;

    /** Decides when answers may be sent. Thread-safe. */
    interface Gate {
        boolean isActive();

        /** Whether there is room to execute another call whose answer may have to wait. */
        boolean hasCapacity();

        /**
         * Blocks until everything known at this moment may be revealed.
         *
         * @param wasActive whether this NameNode was active before the call was executed
         * @throws IOException if it may not be revealed here; the client should ask elsewhere
         */
        void await(boolean wasActive) throws IOException;
    }

    /** Installs the filter; must be called once, before the NameNode is active, as answers already being created are sent as before. */
    public static void install(NameNode nameNode, Gate gate) throws IOException {
        addFilter(nameNode, NAME, WebAnswers.class, gate);
    }

    /**
     * Adds a filter for the calls of WebHDFS, after all existing filters.
     *
     * @param name of the filter, and of the attribute by which it finds its means
     */
    public static void addFilter(NameNode nameNode, String name, Class<? extends Filter> filter, Object means)
            throws IOException {
        addFilter(nameNode, name, filter, means, WebHdfsFileSystem.PATH_PREFIX + "/*");
    }

    /**
     * Adds a filter to other pages of the NameNode.
     *
     * @param pages as a servlet's mapping has them
     */
    public static void addFilter(
            NameNode nameNode, String name, Class<? extends Filter> filter, Object means, String pages)
            throws IOException {
        HttpServer2 server = nameNode.getHttpServer();
        server.setAttribute(name, means);
        HttpServer2.defineFilter(
                server.getWebAppContext(), name, filter.getName(), Collections.emptyMap(), new String[] {pages});
        try {
            server.getWebAppContext().getServletHandler().initialize();
        } catch (Exception e) {
            throw new IOException("The NameNode's web server does not accept filter " + name + " of " + pages, e);
        }
    }

    @Override
    public void init(FilterConfig config) {
        gate = (Gate) config.getServletContext().getAttribute(NAME);
    }

    @Override
    public void destroy() {
        // There is nothing to end.
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        HttpServletResponse plain = (HttpServletResponse) response;
        boolean wasActive = gate.isActive();
        if (wasActive && !gate.hasCapacity()) {
            // Refused before it is executed; see CommittedAnswers.
            refuse(
                    plain,
                    new RetriableException(
                            "This NameNode holds back as many answers as it may until the journal has what they "
                                    + "reveal, and accepts no more"));
            return;
        }
        HeldResponse held = new HeldResponse(plain, wasActive);
        try {
            chain.doFilter(request, held);
            held.end();
        } catch (IOException | ServletException | RuntimeException e) {
            if (!held.refusal.isPresent()) {
                throw e;
            }
        }
        if (held.refusal.isPresent()) {
            refuse(plain, held.refusal.get());
        }
    }

    /** Sends a refusal in WebHDFS's own format. */
    public static void refuse(HttpServletResponse response, IOException cause) throws IOException {
        if (response.isCommitted()) {
            throw new IOException("Part of the answer was sent, and the rest must not be", cause);
        }
        response.reset();
        response.setStatus(HttpServletResponse.SC_FORBIDDEN);
        response.setContentType("application/json");
        response.getOutputStream().print(JsonUtil.toJsonString(cause));
    }

    /** A response of which no byte is sent without permission. */
    private final class HeldResponse extends HttpServletResponseWrapper {
        private final boolean wasActive;
        private Optional<IOException> refusal = Optional.empty();
        private Optional<PrintWriter> writer = Optional.empty();

        HeldResponse(HttpServletResponse response, boolean wasActive) {
            super(response);
            this.wasActive = wasActive;
        }

        /** Waits for permission to send. A refusal is final, because HDFS answers an error with another answer. */
        void awaitPermission() throws IOException {
            if (refusal.isPresent()) {
                throw refusal.get();
            }
            try {
                gate.await(wasActive);
            } catch (IOException e) {
                refusal = Optional.of(e);
                throw e;
            }
        }

        void end() throws IOException {
            awaitPermission();
            writer.ifPresent(PrintWriter::flush);
        }

        @Override
        public ServletOutputStream getOutputStream() throws IOException {
            return new HeldStream(this, super.getOutputStream());
        }

        @Override
        public PrintWriter getWriter() throws IOException {
            if (!writer.isPresent()) {
                writer =
                        Optional.of(new PrintWriter(new OutputStreamWriter(getOutputStream(), getCharacterEncoding())));
            }
            return writer.get();
        }

        @Override
        public void flushBuffer() throws IOException {
            awaitPermission();
            super.flushBuffer();
        }

        @Override
        public void sendError(int status, String message) throws IOException {
            awaitPermission();
            super.sendError(status, message);
        }

        @Override
        public void sendError(int status) throws IOException {
            awaitPermission();
            super.sendError(status);
        }

        @Override
        public void sendRedirect(String location) throws IOException {
            awaitPermission();
            super.sendRedirect(location);
        }
    }

    /** A response whose content was created before it is written here. */
    private static final class HeldStream extends ServletOutputStream {
        private final HeldResponse response;
        private final ServletOutputStream stream;

        HeldStream(HeldResponse response, ServletOutputStream stream) {
            this.response = response;
            this.stream = stream;
        }

        @Override
        public void write(int one) throws IOException {
            response.awaitPermission();
            stream.write(one);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            response.awaitPermission();
            stream.write(bytes, offset, length);
        }

        @Override
        public void flush() throws IOException {
            response.awaitPermission();
            stream.flush();
        }

        @Override
        public void close() throws IOException {
            response.awaitPermission();
            stream.close();
        }

        @Override
        public boolean isReady() {
            return stream.isReady();
        }

        @Override
        public void setWriteListener(WriteListener listener) {
            stream.setWriteListener(listener);
        }
    }
}
