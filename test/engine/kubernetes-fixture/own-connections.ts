import type { ChannelOptions } from "@grpc/grpc-js";
import * as settings from "@pulumi/pulumi/runtime/settings";

const { grpcClientOptions } = settings as unknown as { grpcClientOptions: ChannelOptions };

// The SDK never closes the connections of an inline program, and those of one that failed try to reach their engine
// for ever. Whoever connects to the same port later, which by then is another engine's, is given such a connection
// with its failure: "UNAVAILABLE: No connection established. Last error: null"
// (https://github.com/pulumi/pulumi/issues/6457); or the SDK swallows it, and the program ends without resources.
grpcClientOptions["grpc.use_local_subchannel_pool"] = 1;
