import type { Input } from "@pulumi/pulumi";
import { tooOldFlatcar } from "../../../cluster/machines/flatcar";
import { invalid, requireMatch } from "../../../cluster/validate";
import { isLate, requireLate, shown } from "../../pulumi/late";
import { partitionOf } from "../iam/policy";
import type { Architecture } from "./instance-types";

/** An AMI: given by id, or a distribution's newest of a channel or version. */
export type Image =
    | { readonly id: Input<string> }
    | { readonly distribution: Distribution; readonly channel: string; readonly version?: string };

/** An AMI that is looked up by name. */
export type LookedUpImage = Exclude<Image, { id: Input<string> }> & { readonly option: string };

export type Distribution = "flatcar" | "fedora-coreos";

/** An EC2 query for an AMI. */
export interface ImageQuery {
    /** Account of the publisher. */
    readonly owner: string;
    readonly filters: { name: string; values: string[] }[];
}

interface Published {
    readonly owner: string;
    readonly channels: readonly string[];
    readonly version: RegExp;
    query(channel: string, version: string | undefined, architecture: Architecture): ImageQuery["filters"][number];
}

/** Publishers of images with Ignition, and their AMI names. Sources: their documentation of AWS, Typhoon. */
const distributions: Readonly<Record<Distribution, Published>> = {
    flatcar: {
        owner: "075585003325",
        channels: ["stable", "beta", "alpha", "lts"],
        version: /^\d+\.\d+\.\d+$/,
        query: (channel, version, architecture) => ({
            name: "name",
            values: [`Flatcar-${channel}-${version ?? "*"}${architecture === "arm64" ? "*" : ""}-hvm`],
        }),
    },
    "fedora-coreos": {
        owner: "125523088429",
        channels: ["stable", "testing", "next"],
        version: /^\d+\.\d{8}\.\d+\.\d+$/,
        // The name does not contain the stream.
        query: (channel, version) => ({
            name: "description",
            values: [`Fedora CoreOS ${channel} ${version === undefined ? "" : `${version} `}*`],
        }),
    },
};

const legal = Object.entries(distributions)
    .map(
        ([name, { channels }]) =>
            `${name}-${channels[0]}, ${channels
                .slice(1)
                .map((each) => `-${each}`)
                .join(", ")}`,
    )
    .join(" or ");

const amiId = /^ami-[0-9a-f]{8,17}$/;

/** Throws `image must be ... (got ...)`. An output is an AMI's id. */
export function requireImage(option: string, text: Input<string>, region: string): Image {
    if (isLate(text)) {
        const check = (id: string) => requireMatch(option, amiId, "an AMI id, such as ami-0123456789abcdef0", id);
        return { id: requireLate(text, check) };
    }
    return requireNamed(option, text, region);
}

function requireNamed(option: string, text: string, region: string): Image {
    if (amiId.test(text)) return { id: text };
    requireNamedImages(option, text, region);
    const pattern = /^(flatcar|fedora-coreos)-([a-z]+)(?:-([\d.]+))?$/;
    const expected = `an AMI id, such as ami-0123456789abcdef0, or ${legal}`;
    const [, name, channel = "", version] = pattern.exec(requireMatch(option, pattern, expected, text))!;
    const distribution = name as Distribution;
    const known = distributions[distribution];
    if (!known.channels.includes(channel) || (version !== undefined && !known.version.test(version))) {
        throw invalid(option, expected, text);
    }
    const problem = tooOld(distribution, version);
    if (problem !== undefined) throw invalid(option, problem, text);
    return { distribution, channel, ...(version && { version }) };
}

/**
 * The publishers' accounts are those of the commercial partition. In GovCloud Flatcar has another one, and Fedora CoreOS
 * is not published; in China neither is. Sources: flatcar/Flatcar#257, coreos/fedora-coreos-tracker#383.
 */
function requireNamedImages(option: string, text: string, region: string): void {
    if (partitionOf(region) === "aws") return;
    throw invalid(
        option,
        `an AMI id in ${region}, because images are published by name in commercial regions only`,
        text,
    );
}

/** What a version must be, if it is too old to become a node. */
export function tooOld(distribution: Distribution, version: string | undefined): string | undefined {
    return distribution === "flatcar" && version !== undefined ? tooOldFlatcar(version) : undefined;
}

/** The image in the form of the option. */
export function nameOfImage(image: Image): string {
    if ("id" in image) return String(shown(image.id));
    const { distribution, channel, version } = image;
    return [distribution, channel, ...(version ? [version] : [])].join("-");
}

export function queryOf(
    { distribution, channel, version }: Exclude<Image, { id: Input<string> }>,
    architecture: Architecture,
): ImageQuery {
    const { owner, query } = distributions[distribution];
    const cpu = architecture === "arm64" ? "arm64" : "x86_64";
    return { owner, filters: [query(channel, version, architecture), { name: "architecture", values: [cpu] }] };
}
