/** What is looked up, and the permission that it needs if the cloud's error does not name it. */
export type Asked = readonly [what: string, permission?: string];

/** Whether a lookup failed because the engine has ended the run after the error of another resource. */
export function hasRunEnded({ message }: Error): boolean {
    return /client connection is closing/.test(message);
}

/** How a cloud reports. */
interface Reports {
    /** The error of a single resource that does not exist. */
    readonly missing: RegExp;
    /** Why a lookup was refused. @default - the cloud's error says it */
    readonly forbidden?: (permission: string, message: string) => string | undefined;
}

/** Lookups before anything is created, which must not block users who may not make them. */
export class LookUps {
    constructor(
        private readonly reports: Reports,
        private readonly warn: (text: string) => void | Promise<void>,
    ) {}

    /** The same, without warnings. */
    silent(): LookUps {
        return new LookUps(this.reports, () => undefined);
    }

    /** @returns undefined if it could not be looked up: after a warning, unless the run has ended */
    async for<T>([what, permission = ""]: Asked, answer: Promise<T>): Promise<T | undefined> {
        try {
            return await answer;
        } catch (error) {
            if (hasRunEnded(error as Error)) return undefined;
            const { message } = error as Error;
            const why = this.reports.forbidden?.(permission, message);
            await this.warn(`could not check ${what} before creating anything: ${why ? `${why}: ` : ""}${message}`);
            return undefined;
        }
    }

    /** The same for a single resource, whose absence is an error. @returns "missing" if the cloud does not have it */
    forOne<T>(asked: Asked, answer: Promise<T>): Promise<T | "missing" | undefined> {
        const orMissing = answer.catch((error: Error) => {
            if (this.reports.missing.test(error.message)) return "missing" as const;
            throw error;
        });
        return this.for<T | "missing">(asked, orMissing);
    }
}
