/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SocketsTest {
    @ParameterizedTest
    @EnumSource
    void kernelProbesIdlePeersOfBothSidesEachSecond(Sockets sockets) throws Exception {
        BlockingQueue<Channel> accepted = new ArrayBlockingQueue<>(1);
        EventLoopGroup loops = sockets.newEventLoop("sockets-test");
        try {
            ServerBootstrap node = new ServerBootstrap()
                    .group(loops)
                    .channel(sockets.serverChannel())
                    .childHandler(new ChannelInitializer<Channel>() {
                        @Override
                        protected void initChannel(Channel channel) {
                            accepted.add(channel);
                        }
                    });
            sockets.enableSilenceDetection(node);
            Channel listening = node.bind("127.0.0.1", 0).sync().channel();
            ChannelHandler none = new ChannelInboundHandlerAdapter();
            Bootstrap caller =
                    new Bootstrap().group(loops).channel(sockets.channel()).handler(none);
            sockets.enableSilenceDetection(caller);
            Channel called = caller.connect(listening.localAddress()).sync().channel();

            assertProbesEachSecond(sockets, called);
            assertProbesEachSecond(sockets, accepted.poll(1, TimeUnit.MINUTES));
        } finally {
            loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        }
    }

    private static void assertProbesEachSecond(Sockets sockets, Channel channel) {
        assertThat(sockets.silenceOptions()).isNotEmpty().allSatisfy((option, value) -> assertThat(
                        (Object) channel.config().getOption(option))
                .isEqualTo(value));
    }
}
