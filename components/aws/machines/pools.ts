import { requireDrainTimeout, requireDuration } from "../../../cluster/durations";
import { invalid, requireCount } from "../../../cluster/validate";
import { rightsNames } from "../iam/rights-names";
import type { AwsPoolOptions, AwsRefreshOptions, AwsSpotOptions } from "../options";
import { architectureOf } from "./instance-types";

/** A worker pool's Auto Scaling group, with every default filled in. */
export interface AwsPool {
    /** In the order in which on-demand instances are wanted: one or more, of one architecture. */
    readonly instanceTypes: readonly string[];
    /** How many instances there are at most. */
    readonly most: number;
    /** @default all instances are on demand */
    readonly spot?: Required<AwsSpotOptions>;
    /** Between which something in the cluster decides. @default the stack decides */
    readonly scaling?: { readonly min: number; readonly max: number };
    /** For how long an instance that the group ends is waited for, at most, until its node is drained. */
    readonly drainSeconds: number;
    /** @default instances stay as they are */
    readonly refresh?: { readonly min: number; readonly max: number; readonly warmupSeconds: number };
}

const maxTypes = 40;

/** Throws `workerPools[0]... must be <legal>, got <value>`. */
export function requirePool(option: string, pool: AwsPoolOptions, instanceType: string): AwsPool {
    const { name, instanceTypes, spot, instanceRefresh, drainTimeout } = pool;
    const taken = Object.values<string>(rightsNames);
    if (taken.includes(name) || /^controller-\d+$/.test(name)) {
        throw invalid(`${option}.name`, `none of controller-<number>, ${taken.join(", ")}`, name);
    }
    if (instanceTypes && pool.instanceType !== undefined) {
        throw invalid(`${option}.instanceType`, "left out with instanceTypes", pool.instanceType);
    }
    if (instanceTypes && (instanceTypes.length === 0 || instanceTypes.length > maxTypes)) {
        throw invalid(`${option}.instanceTypes`, `1 to ${maxTypes} types`, instanceTypes.length);
    }
    const types = instanceTypes ?? [instanceType];
    const architecture = architectureOf(types[0]!);
    types.forEach((type, index) => {
        if (types.indexOf(type) !== index) {
            throw invalid(`${option}.instanceTypes[${index}]`, "given once", type);
        }
        if (architectureOf(type) !== architecture) {
            throw invalid(`${option}.instanceTypes[${index}]`, `of ${architecture}, as the first one`, type);
        }
    });
    const scaling = requireScaling(option, pool);
    return {
        instanceTypes: types,
        most: mostCount(pool),
        drainSeconds: requireDrainTimeout(option, drainTimeout),
        ...(spot && { spot: requireSpot(`${option}.spot`, spot, mostCount(pool)) }),
        ...(scaling && { scaling }),
        ...(instanceRefresh && { refresh: requireRefresh(`${option}.instanceRefresh`, instanceRefresh) }),
    };
}

/** How many instances a pool has at first. */
export function firstCount({ count, min }: AwsPoolOptions): number | undefined {
    return count ?? min;
}

/** How many instances a pool may have. */
export function mostCount({ count = 1, max }: AwsPoolOptions): number {
    return max ?? count;
}

function requireScaling(option: string, { count, min, max }: AwsPoolOptions): AwsPool["scaling"] {
    if (min === undefined && max === undefined) return undefined;
    if (min === undefined || max === undefined) {
        throw invalid(`${option}.${min === undefined ? "min" : "max"}`, "given with the other one of them", "nothing");
    }
    requireCount(`${option}.min`, min, 1000);
    requireCount(`${option}.max`, max, 1000);
    if (max < 1 || max < min) {
        throw invalid(`${option}.max`, `${Math.max(1, min)} or more`, max);
    }
    if (count !== undefined && (count < min || count > max)) {
        throw invalid(`${option}.count`, `from ${min} to ${max}, as min and max say`, count);
    }
    return { min, max };
}

function requireSpot(option: string, { onDemandBase = 0, onDemandPercentage = 0 }: AwsSpotOptions, most: number) {
    requireCount(`${option}.onDemandBase`, onDemandBase, most);
    requireCount(`${option}.onDemandPercentage`, onDemandPercentage, 100);
    return { onDemandBase, onDemandPercentage };
}

function requireRefresh(option: string, options: AwsRefreshOptions) {
    const { minHealthyPercentage: min = 100, maxHealthyPercentage: max = 110, warmup = "3m" } = options;
    requireCount(`${option}.minHealthyPercentage`, min, 100);
    if (!Number.isInteger(max) || max < 100 || max > 200 || max - min > 100) {
        throw invalid(`${option}.maxHealthyPercentage`, "from 100 to 200, and 100 more than the least at most", max);
    }
    return { min, max, warmupSeconds: requireDuration(`${option}.warmup`, warmup, "1s") };
}
