import { once } from "node:events";
import { readFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import type { AddressInfo } from "node:net";
import { stringify } from "yaml";
import { onSignals } from "../../command-line/interrupt";
import { UsageError } from "../../command-line/parse";
import type { Bundle } from "./archive";
import { answerFrom, type Contents, contentsOf } from "./server";
import { megabytes } from "./write";

export interface Listening {
    readonly host: string;
    readonly port: number;
    readonly certificate?: string;
    readonly key?: string;
}

/** Serves bundles until it is interrupted. */
export async function serveBundles(bundles: readonly Bundle[], listening: Listening): Promise<number> {
    const contents = await Promise.all(bundles.map(contentsOf));
    const answer = answerFrom(contents, (line) => console.error(line));
    const { host, certificate, key } = listening;
    const isSecure = certificate !== undefined && key !== undefined;
    const server = isSecure
        ? https.createServer(
              { cert: readOption("--tls-certificate", certificate), key: readOption("--tls-key", key) },
              answer,
          )
        : http.createServer(answer);
    server.listen(listening.port, host);
    await once(server, "listening");
    const { address, port } = server.address() as AddressInfo;
    const shown = /^(0\.0\.0\.0|::)$/.test(address) ? "ADDRESS" : address.includes(":") ? `[${address}]` : address;
    for (const { bundle, about } of contents) {
        const { images, files } = about;
        console.log(
            `${bundle.file}: ${images.length} images, ${files.length} files, ${megabytes(bundle.size)}, ${bundle.digest}`,
        );
    }
    console.log(`serving ${isSecure ? "https" : "http"}://${shown}:${port}; in the configuration of stacks:\n`);
    console.log(settingsFor(contents, `${isSecure ? "https" : "http"}://${shown}:${port}`));
    await new Promise<void>((resolve) => {
        const stop = onSignals(() => {
            stop();
            resolve();
        });
    });
    server.close();
    server.closeAllConnections();
    return 0;
}

function readOption(option: string, path: string): Buffer {
    try {
        return readFileSync(path);
    } catch (error) {
        throw new UsageError(`${option} must be a file in PEM form (got ${path}): ${(error as Error).message}`);
    }
}

/** Keys of stacks whose machines use a server, with the files of the newest Kubernetes version of its bundles. */
export function settingsFor(contents: readonly Contents[], url: string): string {
    const newest = [...contents].sort((one, other) => byVersion(newestOf(other), newestOf(one)))[0]!;
    const fileOf = (end: RegExp) => newest.about.files.filter((each) => end.test(each.path)).at(-1);
    const at = (path: string) => `${url}/${path}`;
    const machine = (architecture: string) => {
        const kubelet = fileOf(new RegExp(`/v${newestOf(newest)}/bin/linux/${architecture}/kubelet$`));
        const plugins = fileOf(new RegExp(`cni-plugins-linux-${architecture}-`));
        return {
            ...(kubelet && { kubelet: { urls: [at(kubelet.path)], sha256: kubelet.sha256 } }),
            ...(plugins && { cniPlugins: { urls: [at(plugins.path)], sha256: plugins.sha256 } }),
        };
    };
    const { architectures } = newest.about;
    const config = {
        "tradewind:kubernetesVersion": newestOf(newest),
        "tradewind:registryMirrors": [{ registry: "*", urls: [url] }],
        "tradewind:downloads": {
            ...(architectures.includes("amd64") && machine("amd64")),
            ...(architectures.includes("arm64") && { arm64: machine("arm64") }),
        },
    };
    return stringify({ config }, { lineWidth: 0, indent: 4 });
}

function newestOf({ about }: Contents): string {
    return [...about.kubernetes].sort(byVersion).at(-1)!;
}

function byVersion(one: string, other: string): number {
    return one.localeCompare(other, "en", { numeric: true });
}
