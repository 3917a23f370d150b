import type { ChannelOptions } from "@grpc/grpc-js";
import * as settings from "@pulumi/pulumi/runtime/settings";

const { grpcClientOptions } = settings as unknown as { grpcClientOptions: ChannelOptions };

// The SDK never closes the connections of an inline program, and those of a failed one keep trying to reach their
// engine. A later connection to the same port, which by then belongs to another engine, reuses such a connection with
// its failure: "UNAVAILABLE: No connection established. Last error: null"
// (https://github.com/pulumi/pulumi/issues/6457); or the SDK swallows it, and the program ends without resources.
grpcClientOptions["grpc.use_local_subchannel_pool"] = 1;
