/** etcd could not be asked, or refused. It may do otherwise a moment later. */
export class EtcdError extends Error {
    override readonly name = "EtcdError";
}

/** What etcd's JSON gateway says in an answer other than 200, such as `etcdserver: unhealthy cluster`. */
export function refusal(status: number, text: string): string {
    try {
        return (JSON.parse(text) as { message?: string }).message || `answers ${status}`;
    } catch {
        return `answers ${status}: ${text.trim().slice(0, 200)}`;
    }
}
