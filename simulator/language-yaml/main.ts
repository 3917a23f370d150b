import { readFileSync } from "node:fs";
import { join } from "node:path";
import { credentials } from "@grpc/grpc-js";
import type { RunRequest } from "@pulumi/pulumi/proto/language_pb";
import { ResourceMonitorClient } from "@pulumi/pulumi/proto/resource_grpc_pb";
import { parse } from "yaml";
import { serveLanguage } from "../language/host";
import { Secret } from "../plugin/values";
import { runYaml } from "./program";

/** The YAML language host: registers what Pulumi.yaml has, each after what it refers to. */
void serveLanguage(runProgram, () => {
    // It goes by the schema itself.
});

async function runProgram(request: RunRequest): Promise<void> {
    const text = readFileSync(join(request.getInfo()!.getProgramDirectory(), "Pulumi.yaml"), "utf8");
    const client = new ResourceMonitorClient(request.getMonitorAddress(), credentials.createInsecure(), {
        "grpc.max_receive_message_length": -1,
    });
    const secrets = request.getConfigsecretkeysList();
    const config = request
        .getConfigMap()
        .toArray()
        .filter(([key]) => key.startsWith(`${request.getProject()}:`))
        .map(([key, value]) => [key.split(":")[1]!, secrets.includes(key) ? new Secret(value) : value]);
    try {
        const stack = `${request.getProject()}-${request.getStack()}`;
        await runYaml(parse(text), { client, stack, config: Object.fromEntries(config) });
    } finally {
        client.close();
    }
}
