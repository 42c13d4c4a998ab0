/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.restore;

import io.trefoil.journal.hdfs.edits.ImageCounters;
import io.trefoil.journal.hdfs.edits.NamespaceCounters;
import java.io.File;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import javax.servlet.Filter;
import javax.servlet.FilterChain;
import javax.servlet.FilterConfig;
import javax.servlet.ReadListener;
import javax.servlet.ServletException;
import javax.servlet.ServletInputStream;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletRequestWrapper;
import org.apache.hadoop.hdfs.server.namenode.ImageServlet;
import org.apache.hadoop.hdfs.server.namenode.NNStorage;
import org.apache.hadoop.hdfs.server.namenode.NNStorage.NameNodeDirType;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.http.HttpServer2;

/**
 * Keeps images of a void timeline out of a NameNode's directories. A standby that was cut off while the
 * journal was restored, or another site was promoted, may save an image and upload it to the new active before it
 * learns of that. HDFS compares only cluster and namespace, and would start from that image if it had the highest
 * transaction id.
 *
 * <p>A new timeline assigns block ids far above those of any earlier timeline ({@link TimelineStartEdits}), so an image itself shows
 * whether it belongs to an earlier timeline than the NameNode that receives it. It is checked when it has arrived in full,
 * before HDFS counts it as an image. As in {@code WebAnswers} of automatic failover, the filter is added to a web
 * server that already runs.
 *
 * <p>Uses {@code NameNode.getHttpServer}, {@code getFSImage}, {@code getNamesystem}; {@code BlockIdManager}; {@code
 * ImageServlet.PATH_SPEC}; {@code NNStorage.getFiles}, {@code getCheckpointImageFileName}; {@code HttpServer2.setAttribute}, {@code
 * getAttribute}, {@code getWebAppContext}, {@code defineFilter}.
 */
public final class UploadedImageGuard implements Filter {
    private static final String NAME = "trefoil-images";

    /** A parameter in the query of HDFS's upload. */
    private static final String TXID = "txid";

    private NameNode nameNode;

    /**
     * Guards a NameNode until its process ends; does nothing if it is already guarded.
     *
     * @throws IOException if its web server does not take the filter
     */
    public static void guard(NameNode nameNode) throws IOException {
        HttpServer2 server = nameNode.getHttpServer();
        synchronized (server) {
            if (server.getAttribute(NAME) != null) {
                return;
            }
            server.setAttribute(NAME, nameNode);
            HttpServer2.defineFilter(
                    server.getWebAppContext(),
                    NAME,
                    UploadedImageGuard.class.getName(),
                    Collections.emptyMap(),
                    new String[] {ImageServlet.PATH_SPEC});
            try {
                server.getWebAppContext().getServletHandler().initialize();
            } catch (Exception e) {
                throw new IOException("The NameNode's web server does not accept the filter for images", e);
            }
        }
    }

    @Override
    public void init(FilterConfig config) {
        nameNode = (NameNode) config.getServletContext().getAttribute(NAME);
    }

    @Override
    public void destroy() {
        // There is nothing to release.
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        HttpServletRequest httpRequest = (HttpServletRequest) request;
        chain.doFilter(httpRequest.getMethod().equals("PUT") ? new Upload(httpRequest) : httpRequest, response);
    }

    /** @throws IOException if the uploaded image belongs to an earlier timeline than this NameNode's namespace, or cannot be read */
    private void refuseIfVoid(String txId) throws IOException {
        NNStorage storage = nameNode.getFSImage().getStorage();
        String name = NNStorage.getCheckpointImageFileName(Long.parseLong(txId));
        List<File> copies = storage.getFiles(NameNodeDirType.IMAGE, name);
        for (File copy : copies) {
            // If one directory is broken, HDFS continues with the others.
            if (copy.exists()) {
                NamespaceCounters counters = ImageCounters.read(copy.toPath());
                NamespaceCounters own = localCounters();
                if (counters.isFromEarlierTimeline(own)) {
                    throw new IOException("The image of transaction " + txId + " has block ids up to "
                            + counters.contiguousId() + ", the namespace here up to " + own.contiguousId()
                            + ": it is from before the journal was restored, or another site promoted. Run hdfs namenode"
                            + " -bootstrapStandby on the host that sent it");
                }
                return;
            }
        }
    }

    private NamespaceCounters localCounters() {
        long blockId =
                nameNode.getNamesystem().getBlockManager().getBlockIdManager().getLastAllocatedContiguousBlockId();
        return NamespaceCounters.builder().contiguousId(blockId).build();
    }

    /** A request that brings an image. */
    private final class Upload extends HttpServletRequestWrapper {
        Upload(HttpServletRequest request) {
            super(request);
        }

        @Override
        public ServletInputStream getInputStream() throws IOException {
            return new CheckedStream(super.getInputStream(), getParameter(TXID));
        }
    }

    /** Throws at the end of the stream if the uploaded image may not stay: HDFS has written all of it by then. */
    private final class CheckedStream extends ServletInputStream {
        private final ServletInputStream stream;
        private final String txId;

        CheckedStream(ServletInputStream stream, String txId) {
            this.stream = stream;
            this.txId = txId;
        }

        @Override
        public int read() throws IOException {
            int next = stream.read();
            checkAtEnd(next);
            return next;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            int count = stream.read(into, offset, length);
            checkAtEnd(count);
            return count;
        }

        private void checkAtEnd(int answer) throws IOException {
            if (answer < 0) {
                refuseIfVoid(txId);
            }
        }

        @Override
        public void close() throws IOException {
            stream.close();
        }

        @Override
        public boolean isFinished() {
            return stream.isFinished();
        }

        @Override
        public boolean isReady() {
            return stream.isReady();
        }

        @Override
        public void setReadListener(ReadListener listener) {
            stream.setReadListener(listener);
        }
    }
}
