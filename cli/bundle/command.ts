import { isAbsolute, resolve } from "node:path";
import { describeError } from "../../clients/kubernetes/api-error";
import { architectures } from "../../cluster/downloads";
import { isImageName } from "../../cluster/images";
import { command } from "../../command-line/command";
import { type Check, matching, oneOf, UsageError, type Values, value, values } from "../../command-line/parse";
import { openBundle } from "./archive";
import { readBundleConfig } from "./config";
import { membersOf } from "./members";
import { neededBy } from "./needed";
import { type RegistryImage, readImage } from "./registry-images";
import { readKeyPair, serveBundles } from "./serve";
import { contentsOf } from "./server";
import { megabytes, writeBundle } from "./write";

const IMAGE: Check<string> = {
    legal: "a full image name with a tag or a digest, such as registry.example/app:v1",
    read: (text) => (isImageName(text) ? text : undefined),
};

const LISTEN: Check<{ readonly host: string; readonly port: number }> = {
    legal: "an address and a port, such as 10.0.0.5:5000",
    read: (text) => {
        const [, host, port] =
            /^(?:\[([0-9a-f:.]+)\]|([^:[\]\s]+)):(\d{1,5})$/i.exec(text)?.filter((part) => part !== undefined) ?? [];
        return host === undefined || Number(port) > 65_535 ? undefined : { host, port: Number(port) };
    },
};

const DIGEST = matching("sha256: and 64 hexadecimal digits", /^sha256:[0-9a-f]{64}$/);
const SERVER = matching(
    "an http:// or https:// URL without credentials, such as http://10.0.0.5:5000",
    /^https?:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/,
);

const options = {
    output: value("BUNDLE", "write a bundle", undefined, { short: "o", excludes: ["verify", "serve"] }),
    kubernetes: values("VERSION", "a Kubernetes version of the bundle", undefined, {
        otherwise: "that of FILE",
        needs: "--output",
    }),
    architecture: values(
        "ARCHITECTURE",
        `architecture of the machines: ${architectures.join(" or ")} (default: amd64)`,
        oneOf(architectures),
        { needs: "--output" },
    ),
    image: values("NAME", "another image, such as one of your workloads", IMAGE, { needs: "--output" }),
    from: value("URL", "server that has all images and files, as --serve does", SERVER, {
        otherwise: "each image's registry, each file's site",
        needs: "--output",
    }),
    verify: value("BUNDLE", "compare every file of a bundle with its checksums", undefined, { excludes: ["serve"] }),
    serve: values("BUNDLE", "serve a bundle's images and files, after verifying it"),
    listen: value("ADDRESS:PORT", "where to serve", LISTEN, {
        default: { host: "0.0.0.0", port: 5000 },
        otherwise: "0.0.0.0:5000",
        needs: "--serve",
    }),
    tlsCertificate: value("PEM", "certificate for HTTPS, with those of intermediate CAs", undefined, {
        needs: "--tls-key",
    }),
    tlsKey: value("PEM", "its key", undefined, { needs: "--tls-certificate" }),
    digest: value("DIGEST", "that the bundle must have, as --output printed it", DIGEST, { excludes: ["output"] }),
};

type BundleOptions = Values<typeof options>;

export const program = command(
    {
        name: "tradewind bundle",
        about: "Writes what machines of a stack pull and download into one file, verifies it, or serves it to machines without internet.",
        usage: "--output BUNDLE [options] [FILE] | --verify BUNDLE | --serve BUNDLE [options]",
        options,
        words: [
            "FILE",
            "a stack's configuration, Pulumi.<stack>.yaml (default: the only one of the Pulumi project in this folder)",
        ],
        notes: `A bundle is a tar archive: images in an OCI layout, kubelets, CNI plugins, SHA256SUMS, and an SBOM (sbom.cdx.json). The same images and files give the same bundle. An interrupted run is resumed by the same command. --serve prints what to add to the configuration of stacks.

Examples:
  tradewind bundle --output site.tar Pulumi.prod.yaml                              with internet
  tradewind bundle --output site.tar --kubernetes 1.36.3 --kubernetes 1.37.1      before and after an upgrade
  tradewind bundle --verify site.tar --digest sha256:…                             after the transport
  tradewind bundle --serve site.tar --listen 10.0.0.5:5000                         without internet

Exit codes:
  0  written, verified, or served until it was interrupted
  1  failed; the error names the file or image`,
    },
    bundle,
);

/** `tradewind bundle`: 0 if the bundle was written, verified or served. */
async function bundle(chosen: BundleOptions, [file, ...others]: readonly string[]): Promise<number> {
    const { output, verify, serve, digest } = chosen;
    const here = (path: string) => (isAbsolute(path) ? path : resolve(process.env.INIT_CWD ?? process.cwd(), path));
    if (others.length > 0) throw new UsageError(`unexpected argument ${others[0]}; see tradewind bundle --help`);
    if (output === undefined && file !== undefined) throw new UsageError("FILE requires --output");
    if (output !== undefined) return write(here(output), chosen, file && here(file));
    if (verify !== undefined) {
        const opened = await openBundle(here(verify), digest);
        await contentsOf(opened).finally(() => opened.handle.close());
        const { places, size, digest: actual } = opened;
        console.log(`${verify} is complete: ${places.size} files, ${megabytes(size)}\n${actual}`);
        return 0;
    }
    if (serve.length === 0) {
        throw new UsageError("one of --output, --verify and --serve is required; see tradewind bundle --help");
    }
    if (digest !== undefined && serve.length > 1) throw new UsageError("--digest requires a single --serve");
    const { listen, tlsCertificate, tlsKey } = chosen;
    const keyPair = tlsCertificate && tlsKey && readKeyPair(here(tlsCertificate), here(tlsKey));
    const bundles = [];
    for (const each of serve) bundles.push(await openBundle(here(each), digest));
    return serveBundles(bundles, { ...listen, ...(keyPair && { keyPair }) });
}

async function write(output: string, chosen: BundleOptions, file: string | undefined): Promise<number> {
    const say = (line: string) => console.log(line);
    const from = chosen.from?.replace(/\/+$/, "");
    const config = readBundleConfig(file, process.env.INIT_CWD ?? process.cwd());
    const chosenArchitectures = chosen.architecture.length > 0 ? chosen.architecture : (["amd64"] as const);
    const needed = asUsage(() => neededBy(config, chosenArchitectures, chosen.kubernetes, chosen.image));
    say(`Kubernetes ${needed.kubernetes.join(", ")}: ${needed.images.length} images, ${needed.files.length} files`);
    const images: RegistryImage[] = [];
    for (const image of needed.images) {
        images.push(
            await readImage(image, needed.architectures, from).catch((error) => {
                throw new Error(`cannot read ${image}: ${describeError(error.cause ?? error)}`);
            }),
        );
    }
    const { version } = require("../../package.json");
    const { digest, size } = await writeBundle(output, membersOf(needed, images, version, from), { say });
    say(`\n${output}: ${megabytes(size)}\n${digest}`);
    return 0;
}

/** What is wrong is in the configuration or the command line. */
function asUsage<T>(decide: () => T): T {
    try {
        return decide();
    } catch (error) {
        throw new UsageError((error as Error).message);
    }
}
