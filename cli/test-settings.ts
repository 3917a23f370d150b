import { type Setting, setUp, type Tier } from "./test-setup";

/** What the tiers of a run are tested in: each is set up when its first lane comes, and is there until the run ends. */
export class Settings {
    private readonly settings = new Map<Tier, Setting | undefined>();

    /** @param say - takes a line of progress */
    constructor(private readonly say: (line: string) => void) {}

    /** Sets up the tiers that are not yet; resolves to what kept some from it, which fails those alone. */
    async prepare(tiers: readonly Tier[]): Promise<readonly string[]> {
        const failed: string[] = [];
        for (const tier of new Set(tiers)) {
            if (this.settings.has(tier)) continue;
            try {
                this.settings.set(tier, await setUp(tier, this.say));
            } catch (error) {
                console.error((error as Error).stack);
                this.settings.set(tier, undefined);
                failed.push(`${tier}: ${(error as Error).message}`);
            }
        }
        return failed;
    }

    /** Nothing for one that could not be set up. */
    of(tier: Tier): Setting | undefined {
        return this.settings.get(tier);
    }

    /** Takes away what only the tests needed. */
    async tearDown(): Promise<void> {
        for (const setting of this.settings.values()) {
            await setting?.tearDown?.();
        }
    }
}
