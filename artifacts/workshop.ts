import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { cacheDir } from "./cache-dir";
import { run } from "./command";
import type { OfficialSites } from "./download";
import type { Workshop } from "./item";
import { Registry } from "./registry";

/** What the items of one fill share: a registry and an unpacked Debian, each made when first asked for. */
export class SharedWorkshop {
    private readonly folder = join(cacheDir(), "tmp");
    private running?: Promise<Registry>;
    private root?: Promise<string>;

    constructor(
        private readonly sites: OfficialSites,
        private readonly say: (line: string) => void,
    ) {}

    /** Clears what an interrupted fill left behind. */
    async open(): Promise<void> {
        await rm(this.folder, { recursive: true, force: true });
        await mkdir(this.folder, { recursive: true });
    }

    /** Gives one item a folder of its own for as long as its work takes. */
    async use<T>(work: (workshop: Workshop) => Promise<T>): Promise<T> {
        const scratch = await mkdtemp(join(this.folder, "item-"));
        try {
            return await work({
                scratch,
                sites: this.sites,
                say: this.say,
                path: (place) => join(cacheDir(), place),
                keep: async (file, place) => {
                    const target = join(cacheDir(), place);
                    await mkdir(dirname(target), { recursive: true });
                    await rename(file, target);
                },
                registry: async () => (await this.startRegistry()).socket,
                debianRoot: () => this.unpackDebian(),
            });
        } finally {
            await rm(scratch, { recursive: true, force: true });
        }
    }

    async close(): Promise<void> {
        await (await this.running?.catch(() => undefined))?.stop();
        await rm(this.folder, { recursive: true, force: true });
    }

    private startRegistry(): Promise<Registry> {
        this.running ??= Registry.start(join(cacheDir(), "registry"), this.folder);
        return this.running;
    }

    private unpackDebian(): Promise<string> {
        this.root ??= (async () => {
            const root = await mkdtemp(join(this.folder, "debian-"));
            await run("tar", ["-xf", join(cacheDir(), "rootfs", "debian.tar"), "-C", root]);
            return root;
        })();
        return this.root;
    }
}
