import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import type { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import type { Plugin } from "./plugins";

// Not imported: the bundled command would carry all of gRPC, for the few runs that find a plugin on PATH.
const load = createRequire(__filename);

const ANSWER_MILLISECONDS = 10_000;

/** Plugins connect to their engine when they have something to log. */
const NO_ENGINE = "127.0.0.1:1";

/** The version that a plugin's program reports, without the `v`; undefined if it reports none within ten seconds. */
export async function pluginVersion(path: string, kind: Plugin["kind"]): Promise<string | undefined> {
    const child = spawn(path, [NO_ENGINE], { stdio: ["ignore", "pipe", "ignore"] });
    const deadline = AbortSignal.timeout(ANSWER_MILLISECONDS);
    try {
        const port = await new Promise<number>((resolve, reject) => {
            child.on("error", reject);
            child.on("close", () => reject(new Error("it ended")));
            deadline.addEventListener("abort", () => reject(new Error("it is silent")));
            createInterface({ input: child.stdout }).once("line", (line) => resolve(Number(line)));
        });
        return (await infoAt(`127.0.0.1:${port}`, kind)).getVersion().replace(/^v/, "") || undefined;
    } catch {
        return undefined;
    } finally {
        child.kill("SIGKILL");
    }
}

function infoAt(address: string, kind: Plugin["kind"]): Promise<PluginInfo> {
    const { credentials } = load("@grpc/grpc-js") as typeof import("@grpc/grpc-js");
    const { Empty } = load(
        "google-protobuf/google/protobuf/empty_pb.js",
    ) as typeof import("google-protobuf/google/protobuf/empty_pb");
    const client = new (clientOf(kind))(address, credentials.createInsecure());
    return new Promise<PluginInfo>((resolve, reject) => {
        client.getPluginInfo(
            new Empty(),
            { deadline: Date.now() + ANSWER_MILLISECONDS } as never,
            (error: Error | null, info: PluginInfo) => (error ? reject(error) : resolve(info)),
        );
    }).finally(() => client.close());
}

function clientOf(kind: Plugin["kind"]) {
    if (kind !== "language") {
        const provider = load("@pulumi/pulumi/proto/provider_grpc_pb");
        return (provider as typeof import("@pulumi/pulumi/proto/provider_grpc_pb")).ResourceProviderClient;
    }
    const language = load("@pulumi/pulumi/proto/language_grpc_pb");
    return (language as typeof import("@pulumi/pulumi/proto/language_grpc_pb")).LanguageRuntimeClient;
}
