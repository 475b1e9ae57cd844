package schema_test

import (
	"strings"
	"testing"

	"amdb/schema"
)

func TestCredentialsInTextsAreTakenOut(t *testing.T) {
	const secret = "hunter2-hunter2"
	for _, s := range []string{
		"OPENAI_API_KEY=" + secret, "api-key: " + secret, `{"password": "` + secret + `"}`, `{\"client_secret\":\"` + secret + `\"}`,
		"Authorization: Bearer " + secret, "authorization: Basic " + secret, "curl https://me:" + secret + "@host/x",
		"agent --api-key " + secret + " -p", "agent --token=" + secret, "HF_TOKEN=" + secret, "AWS_SECRET_ACCESS_KEY='" + secret + "'",
	} {
		if got := schema.RedactText(s); strings.Contains(got, "hunter2") || !strings.Contains(got, schema.Redacted) {
			t.Errorf("RedactText(%q) = %q", s, got)
		}
	}
}

func TestWordsThatOnlySoundLikeCredentialsStay(t *testing.T) {
	for _, s := range []string{
		"max_tokens=4096 input_tokens: 512", "the key to success is practice", "AuthenticationError: no API key was given",
		"secret santa and cookie clicker", "failed to read token stream", "https://example.org/a:b@c", "task-key-value-store-001",
		"--max-turns 50 --output-format stream-json", "keyboard: qwerty-layout", "AgentTimeoutError after 900 s",
	} {
		if got := schema.RedactText(s); got != s {
			t.Errorf("RedactText(%q) = %q", s, got)
		}
	}
}
