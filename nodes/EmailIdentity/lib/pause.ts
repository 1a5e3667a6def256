/**
 * Lets n8n do other work before more of an email is read. n8n allows nodes no timers, so its own `sleep(0)` is handed in
 * where the nodes call `email/` and `dns/`.
 */
export type Pause = () => Promise<unknown>;
