import { requireDrainTimeout, requireDuration } from "../../../cluster/durations";
import { conflictsWith, invalid, mustNot, requireCount, requireOneOf, requires } from "../../../cluster/validate";
import { permissionNames } from "../iam/policy";
import type { ZoneLetter } from "../network/subnets";
import type { AwsPoolOptions, AwsRefreshOptions, AwsSpotOptions } from "../options";
import { architectureOf } from "./instance-types";

/** A worker pool's instances, with all defaults applied: an Auto Scaling group, unless they are candidates. */
export interface AwsPool {
    /** In order of preference for on-demand instances: one or more, of one architecture. */
    readonly instanceTypes: readonly string[];
    /** Maximum number of instances. */
    readonly most: number;
    /** @default all instances are on demand */
    readonly spot?: Required<AwsSpotOptions>;
    /** Limits of the autoscaler. @default the stack sets the size */
    readonly scaling?: { readonly min: number; readonly max: number };
    /** Zones of its own. @default all of the nodes' subnets */
    readonly zones?: readonly ZoneLetter[];
    /** Name of its zone, if it is known to have one only. */
    readonly onlyZone?: string;
    /** How long an instance that the group terminates is kept, at most, until its node is drained. */
    readonly drainSeconds: number;
    /** @default existing instances are not replaced */
    readonly refresh?: { readonly min: number; readonly max: number; readonly warmupSeconds: number };
}

const maxTypes = 40;

/** What only a group can do. */
const ofGroups = ["instanceTypes", "spot", "min", "max", "instanceRefresh"] as const;

/** Refuses, for a pool whose nodes may become controllers, what single instances cannot do. */
export function requireSingleInstances(option: string, pool: AwsPoolOptions): void {
    const given = ofGroups.find((each) => pool[each] !== undefined);
    if (given !== undefined) throw conflictsWith(`${option}.${given}`, "controllers.candidates", pool[given]);
}

/** What a pool has by default, and where it is. */
interface PoolPlace {
    readonly instanceType: string;
    readonly region: string;
    /** The cluster's zones. Empty in an existing network. */
    readonly zones: readonly ZoneLetter[];
}

/** Throws `workerPools[0]... must be <legal> (got <value>)`. */
export function requirePool(
    option: string,
    pool: AwsPoolOptions,
    { instanceType, region, zones: letters }: PoolPlace,
): AwsPool {
    const { name, instanceTypes, spot, instanceRefresh, drainTimeout } = pool;
    const taken = Object.values<string>(permissionNames);
    if (taken.includes(name) || /^controller-\d+$/.test(name)) {
        throw mustNot(`${option}.name`, `be one of controller-<number>, ${taken.join(", ")}`, name);
    }
    if (instanceTypes && pool.instanceType !== undefined) {
        throw conflictsWith(`${option}.instanceType`, "instanceTypes", pool.instanceType);
    }
    if (instanceTypes && (instanceTypes.length === 0 || instanceTypes.length > maxTypes)) {
        throw invalid(`${option}.instanceTypes`, `1 to ${maxTypes} types`, instanceTypes.length);
    }
    const types = instanceTypes ?? [instanceType];
    const architecture = architectureOf(types[0]!);
    types.forEach((type, index) => {
        if (types.indexOf(type) !== index) throw mustNot(`${option}.instanceTypes[${index}]`, "be listed twice", type);
        if (architectureOf(type) !== architecture) {
            throw invalid(`${option}.instanceTypes[${index}]`, `${architecture} like the first one`, type);
        }
    });
    const scaling = requireScaling(option, pool);
    const zones = pool.zones && requirePoolZones(`${option}.zones`, pool.zones, letters);
    const [zone, ...others] = zones ?? letters;
    return {
        instanceTypes: types,
        most: mostCount(pool),
        drainSeconds: requireDrainTimeout(option, drainTimeout),
        ...(spot && { spot: requireSpot(`${option}.spot`, spot, mostCount(pool)) }),
        ...(scaling && { scaling }),
        ...(zones && { zones }),
        ...(zone !== undefined && others.length === 0 && { onlyZone: `${region}${zone}` }),
        ...(instanceRefresh && { refresh: requireRefresh(`${option}.instanceRefresh`, instanceRefresh) }),
    };
}

function requirePoolZones(option: string, zones: readonly string[], letters: readonly ZoneLetter[]): ZoneLetter[] {
    if (letters.length === 0) throw conflictsWith(option, "vpcId", zones);
    if (zones.length === 0) throw mustNot(option, "be empty");
    return zones.map((zone, index) => {
        if (zones.indexOf(zone) !== index) throw mustNot(`${option}[${index}]`, "be listed twice", zone);
        return requireOneOf(`${option}[${index}]`, letters, zone as ZoneLetter);
    });
}

/** Initial number of instances of a pool. */
export function firstCount({ count, min }: AwsPoolOptions): number | undefined {
    return count ?? min;
}

/** Maximum number of instances of a pool. */
export function mostCount({ count = 1, max }: AwsPoolOptions): number {
    return max ?? count;
}

function requireScaling(option: string, { count, min, max }: AwsPoolOptions): AwsPool["scaling"] {
    if (min === undefined && max === undefined) return undefined;
    if (min === undefined || max === undefined) {
        const [given, missing] = min === undefined ? ["max", "min"] : ["min", "max"];
        throw requires(`${option}.${given}`, missing);
    }
    requireCount(`${option}.min`, min, 1000);
    requireCount(`${option}.max`, max, 1000);
    if (max < 1 || max < min) throw invalid(`${option}.max`, `${Math.max(1, min)} or more`, max);
    if (count !== undefined && (count < min || count > max)) {
        throw invalid(`${option}.count`, `between min and max (${min} and ${max})`, count);
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
        throw invalid(
            `${option}.maxHealthyPercentage`,
            "from 100 to 200, and at most 100 more than minHealthyPercentage",
            max,
        );
    }
    return { min, max, warmupSeconds: requireDuration(`${option}.warmup`, warmup, "1s") };
}

/** Name of a pool's Auto Scaling group. */
export const groupName = ({ cluster, pool }: { readonly cluster: string; readonly pool: string }) =>
    `${cluster}-${pool}`;
