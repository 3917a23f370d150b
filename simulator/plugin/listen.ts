import { Server, ServerCredentials } from "@grpc/grpc-js";

/** Starts a gRPC server on a free port of the loopback address; `setUp` adds its services. */
export function listen(setUp: (server: Server) => void): Promise<number> {
    // User-data, manifests and state of any size pass through here.
    const server = new Server({ "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 });
    setUp(server);
    return new Promise((resolve, reject) => {
        server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
            if (error) reject(error);
            else resolve(port);
        });
    });
}
