/** What the simulated service offers: a subset of the real one, with differences between regions. */
export const regions = ["ams3", "fra1", "nyc3", "sgp1"];

interface Size {
    readonly vcpus: number;
    /** Unit: MiB. */
    readonly memory: number;
    /** Unit: GB. */
    readonly disk: number;
    /** Unit: US dollars per month. */
    readonly price: number;
    /** @default every region */
    readonly regions?: readonly string[];
    /** @default true */
    readonly available?: boolean;
}

/** Sizes by slug. */
export const sizes: Readonly<Record<string, Size>> = {
    "s-1vcpu-1gb": { vcpus: 1, memory: 1024, disk: 25, price: 6 },
    "s-1vcpu-2gb": { vcpus: 1, memory: 2048, disk: 50, price: 12 },
    "s-2vcpu-2gb": { vcpus: 2, memory: 2048, disk: 60, price: 18 },
    "s-2vcpu-4gb": { vcpus: 2, memory: 4096, disk: 80, price: 24 },
    "s-4vcpu-8gb": { vcpus: 4, memory: 8192, disk: 160, price: 48 },
    "c-2": { vcpus: 2, memory: 4096, disk: 25, price: 42, regions: ["nyc3", "sgp1"] },
    "m-2vcpu-16gb": { vcpus: 2, memory: 16_384, disk: 50, price: 84, available: false },
};

/** Whether droplets of a size can be created in a region. */
export function isOffered(size: string, region: string): boolean {
    const found = sizes[size];
    return found !== undefined && found.available !== false && (found.regions ?? regions).includes(region);
}

/** Images by slug, and how each is configured. */
export const images: Readonly<Record<string, "ignition" | "cloud-init">> = {
    "ubuntu-24-04-x64": "cloud-init",
    "ubuntu-26-04-x64": "cloud-init",
};

/** Images by slug that are not in every region. */
export const imageRegions: Readonly<Record<string, readonly string[]>> = { "ubuntu-24-04-x64": ["fra1", "nyc3"] };

/** Maximum size of user-data in bytes. */
export const maxUserData = 64 * 1024;
