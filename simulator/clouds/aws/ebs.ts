import { oneOf, type Rule, required, text } from "../shared/inputs";
import { has, is, isNumberOf, wholeNumber } from "./rules";

const types = ["gp3", "gp2", "io2", "io1"];

const keyArn = /^arn:aws:kms:[a-z0-9-]+:\d{12}:key\/[0-9a-f-]{36}$/;

/** Inputs of a volume's performance and key. */
export const ebs = {
    type: oneOf(types, required),
    iops: wholeNumber(100, 256_000),
    throughput: wholeNumber(125, 2000),
    kmsKeyId: text("the ARN of a KMS key", keyArn),
} satisfies Record<string, Rule>;

/** Whether a value is a block device with these further properties. */
export function isBlockDevice(value: unknown, more: Readonly<Record<string, (value: unknown) => boolean>>): boolean {
    const optional = (isLegal: (value: unknown) => boolean) => (each: unknown) => each === undefined || isLegal(each);
    return has(value, {
        volumeType: is(...types),
        volumeSize: isNumberOf(1, 65_536),
        iops: optional(isNumberOf(100, 256_000)),
        throughput: optional(isNumberOf(125, 2000)),
        kmsKeyId: optional((each) => keyArn.test(String(each))),
        ...more,
    });
}

interface Volume {
    readonly type: string;
    readonly size: number;
    readonly iops?: number;
    readonly throughput?: number;
}

/** What EC2 refuses when a volume is created or modified. */
export function requirePerformance({ type, size, iops, throughput }: Volume): void {
    const refuse = (problem: string) => {
        throw new Error(`InvalidParameterCombination: ${problem}`);
    };
    const isProvisioned = type.startsWith("io");
    if (isProvisioned && iops === undefined) refuse(`The parameter iops must be specified for ${type} volumes.`);
    if (type === "gp2" && iops !== undefined) refuse("The parameter iops is not supported for gp2 volumes.");
    if (type !== "gp3" && throughput !== undefined) {
        refuse(`The parameter throughput is not supported for ${type} volumes.`);
    }
    const perGib = { gp3: 500, io1: 50, io2: 1000 }[type] ?? 0;
    const base = type === "gp3" ? 3000 : 100;
    if (iops !== undefined && (iops < base || (iops > size * perGib && iops > base))) {
        refuse(`Iops to volume size ratio of ${iops / size} is not allowed; the maximum is ${perGib} per GiB.`);
    }
    if (throughput !== undefined && throughput > (iops ?? base) / 4) {
        refuse(
            `Throughput (MiBps) to iops ratio of ${throughput / (iops ?? base)} is too high; maximum is 0.25 MiBps per iops.`,
        );
    }
}

const burstable = ["t2", "t3", "t3a", "t4g"];

export const creditSpecification: Rule = {
    legal: "cpuCredits of standard or unlimited",
    isLegal: (value: unknown) => has(value, { cpuCredits: is("standard", "unlimited") }),
};

/** Other families have no credits. */
export function requireCredits(instanceType: unknown, credits: unknown): void {
    if (credits === undefined || burstable.includes(String(instanceType).split(".")[0]!)) return;
    throw new Error(`InvalidParameterCombination: The instance type ${instanceType} does not support CPU credits`);
}
