import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { cloudControllerName } from "../../../cluster/manifests/addons/cloud-controller";
import { awsAddons } from "../../../components/aws/in-cluster";
import { resolveAws } from "../../../components/aws/resolve";
import { freePort } from "../../free-port";
import { dualStack } from "../../unit/components/in-cluster/fixture";
import type { ApiServer } from "../apiserver";
import { binary } from "../kubernetes-fixture/binaries";
import { Program } from "../kubernetes-fixture/process";
import { applyAll, permissionsOf, tokenOf } from "../service-account";

/** Starts the account's services as seen by the controller's instance; returns their port. */
export async function startServices(
    account: string,
    cloud: "aws" | "digitalocean" = "aws",
): Promise<{ readonly port: number; readonly process: ChildProcess }> {
    const program = join(__dirname, "services-on-paper.ts");
    const node = ["--require", require.resolve("tsx/cjs"), program, account, "c", "10.9.0.4", cloud];
    const child = spawn(process.execPath, node, { stdio: ["pipe", "pipe", "inherit"] });
    const [line] = await once(createInterface(child.stdout!), "line");
    return { port: Number(line), process: child };
}

/** The real controller as run by the cluster's manifests, with the API permissions that they grant. */
export async function startController(api: ApiServer, folder: string, port: number): Promise<Program> {
    const { cluster, aws } = resolveAws("c", {
        domain: "example.com",
        region: "eu-central-1",
        cloudController: true,
        ipv6: true,
        network: dualStack,
        workerPools: [{ name: "default" }],
    });
    const manifests = awsAddons(cluster, aws);
    await applyAll(api, permissionsOf(manifests));
    const kubeconfig = JSON.parse(api.kubeconfig);
    kubeconfig.users[0].user = { token: await tokenOf(api, cloudControllerName) };
    const file = (name: string, text: string) => {
        writeFileSync(join(folder, name), text, { mode: 0o600 });
        return join(folder, name);
    };
    const access = file("kubeconfig", JSON.stringify(kubeconfig));
    const config = manifests.find(({ kind }) => kind === "ConfigMap") as unknown as { data: Record<string, string> };
    const flags = [
        ...flagsOf(manifests.find(({ kind }) => kind === "Deployment")),
        `--cloud-config=${file("cloud.conf", config.data["cloud.conf"]!)}`,
        `--secure-port=${await freePort()}`,
        `--cert-dir=${folder}`,
        // In the cluster it finds the API through its service account.
        ...["kubeconfig", "authentication-kubeconfig", "authorization-kubeconfig"].map((flag) => `--${flag}=${access}`),
        "--leader-elect=false",
    ];
    const url = `http://127.0.0.1:${port}`;
    const env = [`AWS_ENDPOINT_URL=${url}`, `AWS_EC2_METADATA_SERVICE_ENDPOINT=${url}`, "AWS_CONFIG_FILE=/dev/null"];
    const program = [binary("aws-cloud-controller-manager"), ...flags];
    return new Program("/usr/bin/env", [...env, ...program], join(folder, "cloud-controller.log"));
}

/** The Deployment's arguments. */
function flagsOf(deployment: unknown): string[] {
    const { spec } = deployment as { spec: { template: { spec: { containers: { command: string[] }[] } } } };
    return spec.template.spec.containers[0]!.command.slice(1);
}
