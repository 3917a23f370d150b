/** The pod can't run without the API: why. */
export class NotCheckpointable extends Error {
    override readonly name = "NotCheckpointable";
}
