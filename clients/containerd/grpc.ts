import { connect } from "node:http2";
import { connect as connectSocket } from "node:net";

/** A gRPC call failed with a gRPC error. */
export class GrpcError extends Error {
    override readonly name = "GrpcError";
}

/**
 * Calls a unary gRPC method over a Unix socket and returns the response message.
 *
 * gRPC is HTTP/2 with a five-byte prefix per message; a library for it would be ten times the size of the agent.
 *
 * @param path - `/package.Service/Method`
 */
export function callUnary(
    socket: string,
    path: string,
    message: Uint8Array,
    timeoutMilliseconds: number,
): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
        const session = connect("http://localhost", { createConnection: () => connectSocket(socket) });
        const end = (error?: Error, answer?: Uint8Array) => {
            clearTimeout(timer);
            session.destroy();
            error ? reject(error) : resolve(answer!);
        };
        const timer = setTimeout(() => end(new GrpcError(`${path}: no answer in time`)), timeoutMilliseconds);
        session.on("error", end);
        const stream = session.request({
            ":method": "POST",
            ":path": path,
            "content-type": "application/grpc",
            te: "trailers",
        });
        const chunks: Buffer[] = [];
        // An error without a message is in the headers, otherwise the status follows the message.
        let status: Record<string, unknown> = {};
        stream.on("response", (headers) => (status = { ...status, ...headers }));
        stream.on("trailers", (headers) => (status = { ...status, ...headers }));
        stream.on("data", (chunk: Buffer) => chunks.push(chunk));
        stream.on("error", end);
        // The trailers have arrived by then.
        stream.on("close", () => {
            try {
                end(undefined, parse(path, status, Buffer.concat(chunks)));
            } catch (error) {
                end(error as Error);
            }
        });
        stream.end(frame(message));
    });
}

function frame(message: Uint8Array): Buffer {
    const header = Buffer.alloc(5);
    header.writeUInt32BE(message.length, 1);
    return Buffer.concat([header, message]);
}

function parse(path: string, status: Record<string, unknown>, body: Buffer): Uint8Array {
    if (status["grpc-status"] !== "0") {
        const message = status["grpc-message"] ?? `status ${status["grpc-status"] ?? "missing"}`;
        throw new GrpcError(`${path}: ${decodeURIComponent(String(message))}`);
    }
    if (body.length < 5 || body[0] !== 0 || body.length !== 5 + body.readUInt32BE(1)) {
        throw new GrpcError(`${path}: not one uncompressed message`);
    }
    return body.subarray(5);
}
