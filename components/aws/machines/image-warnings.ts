import { getAmi } from "@pulumi/aws/ec2/getAmi";
import * as pulumi from "@pulumi/pulumi";
import { whichAreKnown } from "../../pulumi/engine";
import { log } from "../../pulumi/log";
import type { AwsInstance } from "../model";
import { type Distribution, nameOfImage } from "./images";

/** Machines that boot an AMI whose id the stack remembers. */
interface BootedImage {
    /** `pool default`, or the name of a controller. */
    readonly machines: string;
    readonly instance: Pick<AwsInstance, "image">;
    readonly id: pulumi.Input<string>;
    /** Name of the newest AMI of its channel, according to a lookup. */
    readonly newest: Promise<string | undefined>;
}

/**
 * Checks in every preview which AMIs machines boot, and warns before they disappear: the stack keeps an id for as long
 * as the option is unchanged, but publishers do not keep AMIs that long.
 */
export function warnOfImages(booted: readonly BootedImage[], parent: pulumi.Resource): void {
    const all = booted.map(({ machines, instance, id, newest }) =>
        pulumi.all([id, newest]).apply(([ami, name]) => useOf(machines, instance, ami, name)),
    );
    // A new AMI is unknown at preview, and not old.
    whichAreKnown(all).apply(async (uses) => {
        for (const use of joined(uses)) {
            const warning = describeImageEnd(use, await imageState(use.id, parent), Date.now());
            if (warning !== undefined) await log.warn(warning, parent);
        }
    });
}

function useOf(machines: string, { image }: Pick<AwsInstance, "image">, id: string, newest?: string): ImageUse {
    if ("id" in image) return { id, asked: id, machines: [machines] };
    const use = { id, asked: nameOfImage(image), machines: [machines] };
    const { distribution, channel } = image;
    const version = /\d+(\.\d+){2,3}/.exec(newest ?? "")?.[0];
    return { ...use, distribution, ...(version && { newest: `${distribution}-${channel}-${version}` }) };
}

/** Merges uses of the same AMI. */
function joined(uses: readonly ImageUse[]): ImageUse[] {
    const byId = new Map<string, ImageUse>();
    for (const use of uses) {
        const { machines = [] } = byId.get(use.id) ?? {};
        byId.set(use.id, { ...use, machines: [...machines, ...use.machines] });
    }
    return [...byId.values()];
}

async function imageState(id: string, parent: pulumi.Resource): Promise<ImageState> {
    try {
        const filters = [{ name: "image-id", values: [id] }];
        return { found: await getAmi({ filters, includeDeprecated: true }, { parent }) };
    } catch (error) {
        const { message } = error as Error;
        // The provider's error message.
        return /returned no results/.test(message) ? { isMissing: true } : { problem: message };
    }
}

/** What EC2 reports about an AMI. */
interface FoundImage {
    readonly id: string;
    /** RFC 3339; missing if EC2 does not report it. */
    readonly creationDate?: string;
    readonly deprecationTime?: string;
}

/** Result of looking up an AMI. */
export type ImageState =
    | { readonly found: FoundImage }
    | { readonly isMissing: true }
    /** It could not be checked: no permission, or no network. */
    | { readonly problem: string };

export interface ImageUse {
    readonly id: string;
    /** The option's value: `flatcar-stable`. */
    readonly asked: string;
    readonly distribution?: Distribution;
    /** Machines that boot it: `pool default`. */
    readonly machines: readonly string[];
    /** The newest AMI of its channel, if it is a different one. */
    readonly newest?: string;
}

const day = 24 * 3600 * 1000;

/** Days that a publisher keeps an AMI. Source: Flatcar's documentation of AWS EC2, nine months. */
const keptDays: Partial<Record<Distribution, number>> = { flatcar: 9 * 30 };

/** How long before an AMI disappears to warn: enough time for a planned change. */
const noticeDays = 45;

/** Why machines cannot, or soon may not, start from an AMI, and what to do; nothing if all is well. */
export function describeImageEnd(use: ImageUse, state: ImageState, now: number): string | undefined {
    const { id, asked } = use;
    const what = `${id} (${asked}), which ${listed(use.machines)} ${use.machines.length > 1 ? "boot" : "boots"},`;
    if ("problem" in state) return `Could not check whether the AMI ${what} still exists: ${state.problem}`;
    if ("isMissing" in state) {
        return `The AMI ${what} no longer exists: new and replaced instances will not start. ${remedy(use)}`;
    }
    const end = endOf(use, state.found, now);
    return end && `The AMI ${what} ${end}: after that, new and replaced instances may not start. ${remedy(use)}`;
}

function endOf(
    { distribution }: ImageUse,
    { creationDate, deprecationTime }: FoundImage,
    now: number,
): string | undefined {
    const deprecated = Date.parse(deprecationTime ?? "");
    if (deprecated <= now) return `has been deprecated since ${dateOf(deprecated)} and may be removed at any time`;
    const kept = distribution && keptDays[distribution];
    const removed = kept === undefined ? Number.NaN : Date.parse(creationDate ?? "") + kept * day;
    if (removed <= now) return `is older than the nine months that Flatcar keeps AMIs and may be removed at any time`;
    const ends = [
        { at: removed, text: "is kept by Flatcar for nine months, until about" },
        { at: deprecated, text: "will be deprecated on" },
    ];
    const soon = ends.filter(({ at }) => at - now < noticeDays * day).sort((a, b) => a.at - b.at)[0];
    return soon && `${soon.text} ${dateOf(soon.at)}`;
}

function remedy({ newest }: ImageUse): string {
    const named = newest ? `Set image to a newer one, such as ${newest}` : "Set image to a newer one";
    return `${named}; controllers boot it when listed in recreate`;
}

function dateOf(time: number): string {
    return new Date(time).toISOString().slice(0, 10);
}

function listed(names: readonly string[]): string {
    return names.length < 2 ? names.join() : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
