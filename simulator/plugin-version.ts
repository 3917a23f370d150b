import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { credentials } from "@grpc/grpc-js";
import { LanguageRuntimeClient } from "@pulumi/pulumi/proto/language_grpc_pb";
import type { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import type { Plugin } from "./plugins";

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
    const Client = kind === "language" ? LanguageRuntimeClient : ResourceProviderClient;
    const client = new Client(address, credentials.createInsecure());
    return new Promise<PluginInfo>((resolve, reject) => {
        client.getPluginInfo(
            new Empty(),
            { deadline: Date.now() + ANSWER_MILLISECONDS } as never,
            (error: Error | null, info: PluginInfo) => (error ? reject(error) : resolve(info)),
        );
    }).finally(() => client.close());
}
