import { type Asked, ask } from "../../../../clients/http";
import type { Interruption } from "./decide";

/** As often as AWS says: a notice comes two minutes before. */
const everyMilliseconds = 5_000;

const timeoutMilliseconds = 2_000;
const ttl = { "X-aws-ec2-metadata-token-ttl-seconds": "21600" };
const spotPath = "/latest/meta-data/spot/instance-action";
const groupPath = "/latest/meta-data/autoscaling/target-lifecycle-state";

/** Asks EC2's metadata service (IMDSv2) whether this machine is taken away. */
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

    /** What was told last; asked again when it is time for it. A service that does not answer says nothing. */
    async look(): Promise<Interruption | undefined> {
        if (this.#known || this.now() - this.#askedAt < everyMilliseconds) return this.#known;
        this.#askedAt = this.now();
        try {
            this.#known = ofSpot(await this.#read(spotPath)) ?? ofGroup(await this.#read(groupPath));
        } catch (error) {
            this.log(`the metadata service does not say whether this machine goes: ${(error as Error).message}`);
        }
        return this.#known;
    }

    async #read(path: string): Promise<string | undefined> {
        this.#token ??= (await this.#ask("/latest/api/token", { method: "PUT", headers: ttl })).text;
        const { status, text } = await this.#ask(path, { headers: { "X-aws-ec2-metadata-token": this.#token } });
        if (status === 404) return undefined;
        if (status === 200) return text;
        this.#token = undefined;
        throw new Error(`answers ${status}`);
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

/** Of an instance that has no group, or one that it is to stay in, there is nothing to tell. */
function ofGroup(state: string | undefined): Interruption | undefined {
    return state?.trim() === "Terminated" ? { action: "terminate" } : undefined;
}
