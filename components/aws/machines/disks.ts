import type { Input } from "@pulumi/pulumi";
import { conflictsWith, invalid, requireMatch, requireOneOf, requires } from "../../../cluster/validate";
import { requireLate } from "../../pulumi/late";

/** An EBS volume, with all defaults applied. */
export interface AwsDisk {
    readonly type: DiskType;
    /** Unit: GiB. */
    readonly size: number;
    /** @default that of the type */
    readonly iops?: number;
    /** Unit: MiB/s. @default that of the type */
    readonly throughput?: number;
}

const diskTypes = ["gp3", "gp2", "io2", "io1"] as const;

export type DiskType = (typeof diskTypes)[number];

interface Limits {
    /** @default IOPS follow from the size */
    readonly iops?: {
        readonly least: number;
        readonly most: number;
        readonly perGib: number;
        /** No default exists. */
        readonly isRequired?: boolean;
    };
    /** Unit: MiB/s. @default throughput follows from the IOPS */
    readonly throughput?: { readonly least: number; readonly most: number; readonly perIops: number };
}

/**
 * Performance limits of the types that an instance can boot from. Every size that the options allow is legal for each
 * type. EBS raised those of gp3 from 16000 IOPS and 1000 MiB/s in September 2025. Source: EBS' documentation of volume
 * types.
 */
const limitsOf: Readonly<Record<DiskType, Limits>> = {
    gp3: {
        iops: { least: 3000, most: 80_000, perGib: 500 },
        throughput: { least: 125, most: 2000, perIops: 0.25 },
    },
    gp2: {},
    io2: { iops: { least: 100, most: 256_000, perGib: 1000, isRequired: true } },
    io1: { iops: { least: 100, most: 64_000, perGib: 50, isRequired: true } },
};

/** IOPS of gp3 that cost nothing more. */
const baseIops = 3000;

interface DiskOptions {
    readonly size: number;
    readonly type?: string;
    readonly iops?: number;
    readonly throughput?: number;
}

/**
 * Checks a volume against the limits of EBS. Throws `<prefix>Iops must be <legal> (got <value>)`.
 *
 * @param prefix - start of the options' names: `controllers.etcdDisk`
 */
export function requireDisk(prefix: string, { size, type: given = "gp3", iops, throughput }: DiskOptions): AwsDisk {
    const type = requireOneOf(`${prefix}Type`, diskTypes, given);
    requireIops(`${prefix}Iops`, { type, size, iops });
    requireThroughput(`${prefix}Throughput`, { type, iops, throughput });
    return { type, size, ...(iops !== undefined && { iops }), ...(throughput !== undefined && { throughput }) };
}

function requireIops(option: string, { type, size, iops }: Pick<AwsDisk, "type" | "size" | "iops">): void {
    const limits = limitsOf[type].iops;
    if (iops === undefined) {
        if (limits?.isRequired) throw requires(type, option);
        return;
    }
    if (!limits) throw conflictsWith(option, type, iops);
    const { least, most, perGib } = limits;
    // Every size has the base of its type.
    const mostOfSize = Math.max(least, Math.min(most, size * perGib));
    if (Number.isInteger(iops) && iops >= least && iops <= mostOfSize) return;
    const reason = mostOfSize < most ? `, which is the limit of ${size} GiB` : "";
    throw invalid(option, `a whole number from ${least} to ${mostOfSize} with ${type}${reason}`, iops);
}

function requireThroughput(
    option: string,
    { type, iops = baseIops, throughput }: Pick<AwsDisk, "type" | "iops" | "throughput">,
): void {
    if (throughput === undefined) return;
    const limits = limitsOf[type].throughput;
    if (!limits) throw conflictsWith(option, type, throughput);
    const { least, most, perIops } = limits;
    const mostOfIops = Math.min(most, Math.floor(iops * perIops));
    if (Number.isInteger(throughput) && throughput >= least && throughput <= mostOfIops) return;
    const reason = mostOfIops < most ? `, which is the limit of ${iops} IOPS` : "";
    throw invalid(option, `a whole number of MiB/s from ${least} to ${mostOfIops} with ${type}${reason}`, throughput);
}

/** Properties of an instance's root volume. */
export function rootVolume({ type, size, iops, throughput }: AwsDisk, kmsKeyId: Input<string> | undefined) {
    return {
        volumeType: type,
        volumeSize: size,
        ...(iops !== undefined && { iops }),
        ...(throughput !== undefined && { throughput }),
        ...(kmsKeyId !== undefined && { kmsKeyId }),
    };
}

/**
 * Requires the ARN of a key: EBS takes aliases and ids too, but reports the ARN, so that every preview would replace the
 * volume.
 */
export function requireKmsKey(kmsKeyId: Input<string> | undefined, region: string): Input<string> | undefined {
    if (kmsKeyId === undefined) return undefined;
    const legal = `the ARN of a KMS key in ${region}, such as arn:aws:kms:${region}:123456789012:key/01234567-89ab-cdef-0123-456789abcdef`;
    const pattern = new RegExp(
        `^arn:aws(-[a-z-]+)?:kms:${region}:\\d{12}:key/(mrk-[0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$`,
    );
    return requireLate(kmsKeyId, (arn) => requireMatch("kmsKeyId", pattern, legal, arn));
}

const creditModes = ["unlimited", "standard"] as const;

export type CpuCredits = (typeof creditModes)[number];

/** Families whose CPU has credits. Source: EC2's documentation of burstable instances. */
const burstable = /^(t2|t3a?|t4g)\./;

/** Throws `<option>.cpuCredits must be <legal> (got <value>)`. */
export function requireCpuCredits(
    option: string,
    given: string | undefined,
    instanceTypes: readonly string[],
): CpuCredits | undefined {
    if (given === undefined) return undefined;
    const mode = requireOneOf(`${option}.cpuCredits`, creditModes, given);
    const other = instanceTypes.find((type) => !burstable.test(type));
    if (other !== undefined) {
        throw conflictsWith(`${option}.cpuCredits`, `${other}: only t2, t3, t3a and t4g have CPU credits`, given);
    }
    return mode;
}
