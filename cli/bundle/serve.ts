import { once } from "node:events";
import http from "node:http";
import https from "node:https";
import type { AddressInfo } from "node:net";
import { createSecureContext } from "node:tls";
import { stringify } from "yaml";
import { byVersion } from "../../cluster/upgrades/version";
import { onSignals } from "../../command-line/interrupt";
import { UsageError } from "../../command-line/parse";
import { readInput } from "../../command-line/read-input";
import type { Bundle } from "./archive";
import { answerFrom, type Contents, contentsOf } from "./server";
import { megabytes } from "./write";

export interface Listening {
    readonly host: string;
    readonly port: number;
    /** With it, by TLS. */
    readonly keyPair?: KeyPair;
}

/** In PEM form. */
export interface KeyPair {
    readonly cert: Buffer;
    readonly key: Buffer;
}

/** @throws UsageError if a file cannot be read, or the two do not belong together */
export function readKeyPair(certificate: string, key: string): KeyPair {
    const pair = { cert: readInput("--tls-certificate", certificate), key: readInput("--tls-key", key) };
    for (const [option, path, part] of [
        ["--tls-certificate", certificate, { cert: pair.cert }],
        ["--tls-key", key, pair],
    ] as const) {
        try {
            createSecureContext(part);
        } catch (error) {
            const legal =
                option === "--tls-key" ? `the key of ${certificate} in PEM form` : "a certificate in PEM form";
            throw new UsageError(`${option} must be ${legal} (got ${path}): ${(error as Error).message}`);
        }
    }
    return pair;
}

/** Serves bundles until it is interrupted. */
export async function serveBundles(bundles: readonly Bundle[], listening: Listening): Promise<number> {
    const contents = await Promise.all(bundles.map(contentsOf));
    const answer = answerFrom(contents, (line) => console.error(line));
    const { host, keyPair } = listening;
    const server = keyPair ? https.createServer({ ...keyPair }, answer) : http.createServer(answer);
    server.listen(listening.port, host);
    await once(server, "listening").catch((error) => {
        throw new UsageError(
            `--listen must be a free address of this machine (got ${host}:${listening.port}): ${error.message}`,
        );
    });
    const { address, port } = server.address() as AddressInfo;
    const shown = /^(0\.0\.0\.0|::)$/.test(address) ? "ADDRESS" : address.includes(":") ? `[${address}]` : address;
    const url = `${keyPair ? "https" : "http"}://${shown}:${port}`;
    for (const { bundle, about } of contents) {
        const { images, files } = about;
        console.log(
            `${bundle.file}: ${images.length} images, ${files.length} files, ${megabytes(bundle.size)}, ${bundle.digest}`,
        );
    }
    console.log(`serving ${url}; in the configuration of stacks:\n`);
    console.log(settingsFor(contents, url));
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

/** Keys of stacks whose machines use a server, with the files of the newest Kubernetes version of its bundles. */
export function settingsFor(contents: readonly Contents[], url: string): string {
    const newest = [...contents].sort((one, other) => byVersion(newestOf(other), newestOf(one)))[0]!;
    const download = (end: RegExp) => {
        const found = newest.about.files.find((each) => end.test(each.path));
        return found && { urls: [`${url}/${found.path}`], sha256: found.sha256 };
    };
    const machine = (architecture: string) => {
        const containerd = download(new RegExp(`/containerd-static-[^/]+-linux-${architecture}\\.tar\\.gz$`));
        const runc = download(new RegExp(`/runc\\.${architecture}$`));
        const downloads = {
            kubelet: download(new RegExp(`/v${newestOf(newest)}/bin/linux/${architecture}/kubelet$`)),
            cniPlugins: download(new RegExp(`/cni-plugins-linux-${architecture}-[^/]+$`)),
            containerRuntime: containerd && { containerd, runc },
            ecrCredentialProvider: download(new RegExp(`/ecr-credential-provider-linux-${architecture}$`)),
        };
        return Object.fromEntries(Object.entries(downloads).filter(([, each]) => each !== undefined));
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
