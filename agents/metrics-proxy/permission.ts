import { createHash } from "node:crypto";
import type { Caller } from "../../clients/kubernetes/api-client";

/** Who may scrape: anyone with this permission on a path, as in Kubernetes' role `system:monitoring`. */
const permission = { path: "/metrics", verb: "get" };

/** How long a permission is valid without another review, in milliseconds: like that of a kubelet's cached tokens. */
const validMilliseconds = 120_000;

/** How many reviews may be running, so that clients without permission cannot flood the API: all, and of one source. */
const maxReviews = { all: 32, ofSource: 4 } as const;

interface TokenReview {
    readonly status?: {
        readonly authenticated?: boolean;
        readonly user?: {
            readonly username?: string;
            readonly uid?: string;
            readonly groups?: readonly string[];
            readonly extra?: Readonly<Record<string, readonly string[]>>;
        };
    };
}

interface AccessReview {
    readonly status?: { readonly allowed?: boolean };
}

/** An HTTP status. */
export type Verdict = 200 | 401 | 403 | 429;

/** Asks the API who a token belongs to, and whether that user may scrape. */
export class Permission {
    /** End of each permission, by hash of the token. */
    readonly #valid = new Map<string, number>();
    readonly #running = new Map<string, { readonly verdict: Promise<Verdict>; readonly source: string }>();

    constructor(
        private readonly api: Caller,
        private readonly now: () => number = Date.now,
    ) {}

    /**
     * @param source - address of the client
     * @throws if the API does not answer
     */
    async check(authorization: string | undefined, source: string): Promise<Verdict> {
        const [, token] = /^Bearer (\S+)$/i.exec(authorization ?? "") ?? [];
        if (token === undefined) return 401;
        const key = createHash("sha256").update(token).digest("hex");
        if ((this.#valid.get(key) ?? 0) > this.now()) return 200;
        const running = this.#running.get(key);
        if (running) return running.verdict;
        const ofSource = [...this.#running.values()].filter((review) => review.source === source).length;
        if (ofSource >= maxReviews.ofSource || this.#running.size >= maxReviews.all) return 429;
        const review = this.#review(token).finally(() => this.#running.delete(key));
        this.#running.set(key, { verdict: review, source });
        const verdict = await review;
        if (verdict === 200) this.#keep(key);
        return verdict;
    }

    async #review(token: string): Promise<Verdict> {
        const { status } = await this.#create<TokenReview>("authentication.k8s.io", "TokenReview", { token });
        const { username, uid, groups, extra } = status?.user ?? {};
        if (status?.authenticated !== true || !username) return 401;
        const spec = { user: username, uid, groups, extra, nonResourceAttributes: permission };
        const answer = await this.#create<AccessReview>("authorization.k8s.io", "SubjectAccessReview", spec);
        return answer.status?.allowed === true ? 200 : 403;
    }

    #create<T>(group: string, kind: string, spec: object): Promise<T> {
        const apiVersion = `${group}/v1`;
        const path = `/apis/${apiVersion}/${kind.toLowerCase()}s`;
        return this.api.call<T>(path, { method: "POST", body: { apiVersion, kind, spec }, timeoutMilliseconds: 5_000 });
    }

    #keep(key: string): void {
        const now = this.now();
        for (const [other, end] of this.#valid) if (end <= now) this.#valid.delete(other);
        this.#valid.set(key, now + validMilliseconds);
    }
}
