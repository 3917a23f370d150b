import { type Asked, ask } from "../../../../clients/http";
import type { Interruption } from "./decide";

/** The interval that AWS recommends: a notice comes two minutes ahead. */
const everyMilliseconds = 5_000;

const timeoutMilliseconds = 2_000;
const ttl = { "X-aws-ec2-metadata-token-ttl-seconds": "21600" };
const spotPath = "/latest/meta-data/spot/instance-action";
const groupPath = "/latest/meta-data/autoscaling/target-lifecycle-state";

/** Polls EC2's metadata service (IMDSv2) for notices that this machine is being taken away. */
export class InterruptionNotices {
    #token?: string;
    #known?: Interruption;
    #askedAt = -everyMilliseconds;

    /** @param metadata - URL of the service, without a path */
    constructor(
        private readonly metadata: string,
        private readonly log: (line: string) => void,
        private readonly now: () => number = () => performance.now(),
    ) {}

    /** The last notice, refreshed when due. If the service does not answer, nothing changes. */
    async observe(): Promise<Interruption | undefined> {
        if (this.#known || this.now() - this.#askedAt < everyMilliseconds) return this.#known;
        this.#askedAt = this.now();
        try {
            this.#known = ofSpot(await this.#read(spotPath)) ?? ofGroup(await this.#read(groupPath));
        } catch (error) {
            this.log(`cannot get interruption notices from the metadata service: ${(error as Error).message}`);
        }
        return this.#known;
    }

    async #read(path: string): Promise<string | undefined> {
        this.#token ??= (await this.#ask("/latest/api/token", { method: "PUT", headers: ttl })).text;
        const { status, text } = await this.#ask(path, { headers: { "X-aws-ec2-metadata-token": this.#token } });
        if (status === 404) return undefined;
        if (status === 200) return text;
        this.#token = undefined;
        throw new Error(`got status ${status}`);
    }

    #ask(what: string, asked: Asked) {
        return ask(`${this.metadata}${what}`, asked, timeoutMilliseconds);
    }
}

function ofSpot(text: string | undefined): Interruption | undefined {
    if (text === undefined) return undefined;
    const { action, time } = JSON.parse(text);
    return { action: String(action), time: String(time) };
}

/** An instance without a group, or one that stays in service, has no notice. */
function ofGroup(state: string | undefined): Interruption | undefined {
    return state?.trim() === "Terminated" ? { action: "terminate" } : undefined;
}
