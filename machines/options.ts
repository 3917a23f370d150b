import { parseArgs } from "node:util";
import { overlaps } from "./subnets";

/** Bad user input: shown without a stack trace. */
export class UsageError extends Error {}

/** The values given on the command line, each checked when it is read. */
export class Options {
    private constructor(
        private readonly values: Readonly<Record<string, string | boolean | undefined>>,
        readonly words: readonly string[],
        /** Everything after `--`. */
        readonly command: readonly string[],
    ) {}

    static parse(args: readonly string[]): Options {
        const end = args.indexOf("--");
        const string = { type: "string" } as const;
        try {
            const { values, positionals } = parseArgs({
                args: end < 0 ? [...args] : args.slice(0, end),
                allowPositionals: true,
                options: {
                    cluster: string,
                    name: string,
                    address: string,
                    address6: string,
                    subnet: string,
                    subnet6: string,
                    domain: string,
                    backends: string,
                    os: string,
                    "os-like": string,
                    memory: string,
                    timeout: string,
                    into: string,
                    publish: string,
                    json: { type: "boolean" },
                    help: { type: "boolean", short: "h" },
                },
            });
            return new Options(values, positionals, end < 0 ? [] : args.slice(end + 1));
        } catch (error) {
            throw new UsageError((error as Error).message.split(". ")[0]);
        }
    }

    flag(name: string): boolean {
        return this.values[name] === true;
    }

    optional(name: string, legal: string, pattern: RegExp): string | undefined {
        const value = this.values[name];
        if (value !== undefined && !pattern.test(String(value))) {
            throw new UsageError(`--${name} must be ${legal}, got ${value || "nothing"}`);
        }
        return value as string | undefined;
    }

    required(name: string, legal: string, pattern: RegExp): string {
        const value = this.optional(name, legal, pattern);
        if (value === undefined) {
            throw new UsageError(`--${name} must be ${legal}, got nothing`);
        }
        return value;
    }
}

const LABEL = "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?";
const BYTE = "(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
const IPV4 = `${BYTE}(\\.${BYTE}){3}`;

/** The legal values of each option, in words and as a pattern. */
export const LEGAL = {
    label: ["a DNS label of at most 63 letters, digits and hyphens", new RegExp(`^${LABEL}$`)],
    domain: ["a DNS name", new RegExp(`^${LABEL}(\\.${LABEL})*$`)],
    subnet: ["an IPv4 subnet that ends in .0/24", new RegExp(`^${BYTE}(\\.${BYTE}){2}\\.0/24$`)],
    subnet6: ["an IPv6 subnet that ends in ::/64", /^[0-9a-f]{1,4}(:[0-9a-f]{1,4}){0,3}::\/64$/],
    address6: ["an IPv6 address", /^[0-9a-f:]*:[0-9a-f:]*$/],
    address: ["an IPv4 address", new RegExp(`^${IPV4}$`)],
    addresses: ["IPv4 addresses, separated by commas", new RegExp(`^${IPV4}(,${IPV4})*$`)],
    os: ["ignition or cloud-init", /^(ignition|cloud-init)$/],
    osLike: ["ubuntu", /^ubuntu$/],
    memory: ["a size such as 512m or 4g", /^\d+[kmg]$/],
    seconds: ["a number of seconds", /^[1-9]\d*$/],
    port: [
        "a port from 1024 to 65535",
        /^(102[4-9]|10[3-9]\d|1[1-9]\d\d|[2-9]\d{3}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d\d|655[0-2]\d|6553[0-5])$/,
    ],
    path: ["a folder", /./],
} as const satisfies Record<string, readonly [string, RegExp]>;

/** Throws unless the address is in the subnet and is not one of the reserved first ones. */
export function checkAddress(address: string, subnet: string, firstFree: number): void {
    const host = Number(address.split(".")[3]);
    if (!overlaps(address, subnet) || host < firstFree || host > 254) {
        const prefix = subnet.split(".").slice(0, 3).join(".");
        throw new UsageError(`--address must be one of ${prefix}.${firstFree} to ${prefix}.254, got ${address}`);
    }
}
